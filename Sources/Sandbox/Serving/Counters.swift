import Synchronization

/// What the sandbox has seen: what a test of a proxy asserts about the other end.
package struct SandboxCounts: Sendable, Equatable {
    /// Requests by what they asked for, refused and faulty ones included.
    package var requests: [PathClass: Int] = [:]
    /// The most requests that were being answered at one time, to the API and to the image host.
    package var highestAPIConcurrency = 0
    package var highestImageConcurrency = 0
    /// Requests being answered now.
    package var inFlight = 0
    /// Answers whose reader left before their end, and pictures that nobody waited for any more.
    package var abortedDownloads = 0
    /// Requests to the image host whose URL had lost its `ixid`.
    package var imagesWithoutIxid = 0
    /// Requests to the image host that carried a key: they never should.
    package var imagesWithKey = 0
    /// Download reports, with their `ixid`.
    package var trackedDownloads = 0
    /// Calls refused because the hour's allowance was used up.
    package var rateLimited = 0
    /// Pictures drawn; the others came from the sandbox's own cache.
    package var picturesDrawn = 0

    /// Requests to the API, whatever they asked for.
    package var apiRequests: Int { requests.reduce(0) { $0 + ($1.key.isAPI ? $1.value : 0) } }

    /// Requests to the image host.
    package var imageRequests: Int { requests[.images] ?? 0 }
}

/// Counts from many threads.
final class Counters: Sendable {
    private struct State {
        var counts = SandboxCounts()
        var apiInFlight = 0
        var imagesInFlight = 0
    }

    private let state = Mutex(State())

    var counts: SandboxCounts {
        state.withLock { state in
            var counts = state.counts
            counts.inFlight = state.apiInFlight + state.imagesInFlight
            return counts
        }
    }

    /// Starts anew; what is in flight stays so.
    func reset() {
        state.withLock { $0.counts = SandboxCounts() }
    }

    func note(_ change: (inout SandboxCounts) -> Void) {
        state.withLock { change(&$0.counts) }
    }

    /// Counts a request; the ticket says when it is answered.
    func begin(_ pathClass: PathClass) -> Ticket {
        state.withLock { state in
            state.counts.requests[pathClass, default: 0] += 1
            if pathClass == .images {
                state.imagesInFlight += 1
                state.counts.highestImageConcurrency = max(state.counts.highestImageConcurrency, state.imagesInFlight)
            } else {
                state.apiInFlight += 1
                state.counts.highestAPIConcurrency = max(state.counts.highestAPIConcurrency, state.apiInFlight)
            }
        }
        return Ticket(self, pathClass)
    }

    fileprivate func end(_ pathClass: PathClass, aborted: Bool) {
        state.withLock { state in
            if pathClass == .images { state.imagesInFlight -= 1 } else { state.apiInFlight -= 1 }
            if aborted { state.counts.abortedDownloads += 1 }
        }
    }
}

/// A request that is being answered.
final class Ticket: Sendable {
    private let counters: Counters
    private let pathClass: PathClass
    private let isOpen = Atomic(true)

    fileprivate init(_ counters: Counters, _ pathClass: PathClass) {
        self.counters = counters
        self.pathClass = pathClass
    }

    /// The answer is sent, or its reader has left; the first word counts.
    func end(aborted: Bool) {
        guard isOpen.exchange(false, ordering: .relaxed) else { return }
        counters.end(pathClass, aborted: aborted)
    }
}

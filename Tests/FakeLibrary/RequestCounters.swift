import BuiltInLibrary
import HTTPExchange
import Primitives
import Synchronization

/// The counts of requests to the library.
package struct LibraryCounts: Codable, Sendable, Equatable {
    /// Requests to each host, refused and faulty ones included.
    package var apiRequests = 0
    package var imageRequests = 0
    /// The requests that are being answered.
    package var inFlight = 0
    /// Answers that ended early because their client disconnected.
    package var abortedDownloads = 0
    /// Requests to the image host without an `ixid`, and with a key, which it must never get.
    package var imagesWithoutIxid = 0
    package var imagesWithKey = 0
    /// Calls refused because of the hourly limit.
    package var rateLimited = 0

    package init() {}
}

final class RequestCounters: Sendable {
    private let state = Lock((counts: LibraryCounts(), targets: [String]()))

    var counts: LibraryCounts { state.withLock(\.counts) }
    /// The targets of all requests so far, with their queries.
    var targets: [String] { state.withLock(\.targets) }

    func update(_ change: (inout LibraryCounts) -> Void) { state.withLock { change(&$0.counts) } }

    /// Counts a request, which is in flight until its `end`.
    func begin(_ request: Request) -> CountedRequest {
        state.withLock { state in
            state.targets.append(request.target.raw)
            state.counts.inFlight += 1
            guard request.isForPicture else {
                state.counts.apiRequests += 1
                return
            }
            state.counts.imageRequests += 1
            if request.libraryKey != nil { state.counts.imagesWithKey += 1 }
            if !request.target.raw.contains("ixid=") { state.counts.imagesWithoutIxid += 1 }
        }
        return CountedRequest(self)
    }
}

/// A request that is being answered.
final class CountedRequest: Sendable {
    private let counters: RequestCounters
    private let isInFlight = Atomic(true)

    fileprivate init(_ counters: RequestCounters) {
        self.counters = counters
    }

    /// An answer that is given up, such as one that hangs, ends with its last reference.
    deinit {
        end(isAborted: true)
    }

    /// Records that the answer was sent, or that the client has disconnected; only the first call counts.
    func end(isAborted: Bool) {
        guard isInFlight.exchange(false, ordering: .relaxed) else { return }
        counters.update { counts in
            counts.inFlight -= 1
            if isAborted { counts.abortedDownloads += 1 }
        }
    }
}

import HTTPExchange
import Primitives
import Synchronization

/// The kinds of requests that counters and faults distinguish.
package enum PathClass: String, Sendable, CaseIterable, Hashable {
    /// Pages of the feed.
    case photos
    /// The details of one photo.
    case photo
    case random
    case search
    case topics
    case collections
    case users
    case download
    case images
    /// The sandbox's own controls; never faulty, never counted.
    case control
    case unknown

    /// The class of a path, by its first segments.
    init(_ target: Target) {
        let segments = target.path.split(separator: "/").prefix(3)
        switch (segments.first, segments.dropFirst().first, segments.dropFirst(2).first) {
        case ("photos", nil, nil): self = .photos
        case ("photos", "random", nil): self = .random
        case ("photos", .some, nil): self = .photo
        case ("photos", .some, "download"): self = .download
        case ("search", .some, nil): self = .search
        case ("topics", _, _): self = .topics
        case ("collections", _, _): self = .collections
        case ("users", _, _): self = .users
        case ("images", _, _): self = .images
        case ("sandbox", _, _): self = .control
        default: self = .unknown
        }
    }

    /// Whether the upstream answers it from its API host, with a key and against the hourly limit.
    package var isAPI: Bool { self != .images && self != .control }
}

/// The counts of requests to the sandbox, for tests of a proxy.
package struct SandboxCounts: Sendable, Equatable {
    /// Requests by class, refused and faulty ones included.
    package var requests: [PathClass: Int] = [:]
    /// The highest numbers of concurrent requests, to the API and to the image host.
    package var highestAPIConcurrency = 0
    package var highestImageConcurrency = 0
    /// Requests that are being answered.
    package var inFlight = 0
    /// Answers that ended early because their client disconnected.
    package var abortedDownloads = 0
    /// Requests to the image host without an `ixid`.
    package var imagesWithoutIxid = 0
    /// Requests to the image host with a key, which it must never get.
    package var imagesWithKey = 0
    /// Download reports with an `ixid`.
    package var trackedDownloads = 0
    /// Calls refused because of the hourly limit.
    package var rateLimited = 0
    /// Pictures drawn; the others came from the sandbox's cache.
    package var picturesDrawn = 0

    /// Requests to the API.
    package var apiRequests: Int { requests.reduce(0) { $0 + ($1.key.isAPI ? $1.value : 0) } }

    /// Requests to the image host.
    package var imageRequests: Int { requests[.images] ?? 0 }
}

/// Counts requests on many threads.
final class RequestCounters: Sendable {
    private struct State {
        var counts = SandboxCounts()
        var apiInFlight = 0
        var imagesInFlight = 0
    }

    private let state = Lock(State())

    var counts: SandboxCounts {
        state.withLock { state in
            var counts = state.counts
            counts.inFlight = state.apiInFlight + state.imagesInFlight
            return counts
        }
    }

    /// Sets all counts to 0, except for the requests in flight.
    func reset() {
        state.withLock { $0.counts = SandboxCounts() }
    }

    func update(_ change: (inout SandboxCounts) -> Void) {
        state.withLock { change(&$0.counts) }
    }

    /// Counts a request, which is in flight until its `end`.
    func begin(_ pathClass: PathClass) -> CountedRequest {
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
        return CountedRequest(self, pathClass)
    }

    fileprivate func end(_ pathClass: PathClass, isAborted: Bool) {
        state.withLock { state in
            if pathClass == .images { state.imagesInFlight -= 1 } else { state.apiInFlight -= 1 }
            if isAborted { state.counts.abortedDownloads += 1 }
        }
    }
}

/// A request that is being answered.
final class CountedRequest: Sendable {
    private let counters: RequestCounters
    private let pathClass: PathClass
    private let isInFlight = Atomic(true)

    fileprivate init(_ counters: RequestCounters, _ pathClass: PathClass) {
        self.counters = counters
        self.pathClass = pathClass
    }

    /// Records that the answer was sent, or that the client has disconnected; only the first call counts.
    func end(isAborted: Bool) {
        guard isInFlight.exchange(false, ordering: .relaxed) else { return }
        counters.end(pathClass, isAborted: isAborted)
    }
}

import HTTPExchange
import Primitives
import Synchronization

/// The kinds of requests that counters and faults distinguish.
package enum PathClass: String, Sendable, CaseIterable, Hashable {
    /// Pages of the feed.
    case photos
    /// The details of one photo.
    case photo
    case random, search, topics, collections, users, download, images
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

    fileprivate var host: WritableKeyPath<SandboxCounts, SandboxCounts.Concurrency> {
        self == .images ? \.images : \.api
    }
}

/// The counts of requests to the sandbox, for tests of a proxy.
package struct SandboxCounts: Sendable, Equatable {
    /// Requests by class, refused and faulty ones included.
    package var requests: [PathClass: Int] = [:]
    package fileprivate(set) var api = Concurrency()
    package fileprivate(set) var images = Concurrency()
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

    package var apiRequests: Int { requests.reduce(0) { $0 + ($1.key.isAPI ? $1.value : 0) } }
    package var imageRequests: Int { requests[.images] ?? 0 }
    package var inFlight: Int { api.inFlight + images.inFlight }

    /// The requests that a host is answering, and the most at one time.
    package struct Concurrency: Sendable, Equatable {
        fileprivate(set) var inFlight = 0 { didSet { highest = max(highest, inFlight) } }
        package private(set) var highest = 0
    }
}

final class RequestCounters: Sendable {
    private let state = Lock(SandboxCounts())

    var counts: SandboxCounts { state.withLock { $0 } }

    /// Sets all counts to 0, except for the requests in flight.
    func reset() {
        update { counts in
            let former = counts
            counts = SandboxCounts()
            counts.api.inFlight = former.api.inFlight
            counts.images.inFlight = former.images.inFlight
        }
    }

    func update(_ change: (inout SandboxCounts) -> Void) { state.withLock { change(&$0) } }

    /// Counts a request, which is in flight until its `end`.
    func begin(_ pathClass: PathClass) -> CountedRequest {
        update { counts in
            counts.requests[pathClass, default: 0] += 1
            counts[keyPath: pathClass.host].inFlight += 1
        }
        return CountedRequest(self, pathClass)
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

    /// An answer that is given up, such as one that hangs, ends with its last reference.
    deinit {
        end(isAborted: true)
    }

    /// Records that the answer was sent, or that the client has disconnected; only the first call counts.
    func end(isAborted: Bool) {
        guard isInFlight.exchange(false, ordering: .relaxed) else { return }
        counters.update { counts in
            counts[keyPath: pathClass.host].inFlight -= 1
            if isAborted { counts.abortedDownloads += 1 }
        }
    }
}

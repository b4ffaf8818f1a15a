import HTTPExchange

/// What kind of thing a request asks for: what counters and faults tell apart.
package enum PathClass: String, Sendable, CaseIterable, Hashable {
    /// Pages of the feed.
    case photos
    /// One photo's details.
    case photo
    case random
    case search
    case topics
    case collections
    case users
    case download
    case images
    /// The sandbox's own switches; never faulty, never counted against anything.
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

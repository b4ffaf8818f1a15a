package import BarLayout
package import HTTPExchange
import HTTPTypes

/// The reason why a request about a bar is refused.
package enum BarSessionError: Error, Sendable, Equatable {
    /// No bar has this id, or it has expired.
    case notFound
    /// The store is full: it has the most bars, or no memory for the tracks of this one.
    case full
    case clientShare
    /// The answer with all results would be too large: with explanations, or where a client can choose fewer results.
    case answerTooLarge(isExplained: Bool, hasChoice: Bool)
    case contended
    /// The shared store is unavailable, or the outcome of a write is unknown.
    case unavailable
    /// `If-Match` does not have the present tag.
    case preconditionFailed(BarTag)
    /// `If-Match` is missing.
    case preconditionRequired(BarTag)
    /// A value of the content is not allowed, or an event cannot be applied; with the JSON Pointer.
    case invalid(pointer: String, BarLayoutError)
    /// The number of an event is greater than the next one.
    case sequenceGap(pointer: String, expected: Int)
    /// The number of an event belongs to another event.
    case sequenceReused(pointer: String, sequence: Int)
    /// The log no longer has the event; with the number of its first event.
    case sequenceTrimmed(first: Int?)
    /// The bar has not reached the event yet; with the number of its last event.
    case sequenceAhead(last: Int)
    /// A list has events with and without a number; with the JSON Pointer to the first one that differs.
    case mixedSequences(pointer: String)
    /// The idempotency key belongs to a request with other content.
    case keyReused
    case unknownTrack(String)
}

extension Problem.Kind {
    static let barNotFound = Problem.Kind(
        "bar-not-found",
        .notFound,
        "The bar does not exist.",
        explanation: """
            The id is unknown, or the bar was deleted, or it has expired. A bar expires `ttlSeconds` after its last \
            write. Create a new one.
            """
    )
    static let scrollableMismatch = Problem.Kind(
        "scrollable-mismatch",
        .conflict,
        "The event is about another scroll view than the attached one.",
        explanation: """
            The most common cause is a late event of a view that was replaced: drop it. To attach another view send a \
            `set` event. No event of the request was applied.
            """
    )
    static let sequenceGap = Problem.Kind(
        "sequence-gap",
        .conflict,
        "Events are missing before this one.",
        explanation: """
            `sequence` counts the events of a bar from 1 without gaps. `expectedSequence` is the next number; send the \
            events from that number on. No event of the request was applied.
            """
    )
    static let sequenceReused = Problem.Kind(
        "sequence-reused",
        .conflict,
        "This number belongs to another event.",
        explanation: """
            An earlier event has this `sequence` and other content. An event with the same content gets its answer again. \
            Two clients that number events independently cause this error: number the events in one of them, or use \
            `If-Match` instead.
            """
    )
    static let sequenceTrimmed = Problem.Kind(
        "sequence-trimmed",
        .gone,
        "The log no longer has this event.",
        explanation: """
            The log keeps the last 512 events of a bar, or fewer if they and its changes of tracks take more than a \
            megabyte, or if the service is short of memory. `firstSequence` is the number of the oldest event in the \
            log, if there is one.
            """
    )
    static let outOfRange = Problem.Kind(
        "out-of-range",
        .unprocessableContent,
        "A number is out of range.",
        explanation: """
            Coordinates, sizes and numbers of events must be from -1e9 to 1e9, and some have narrower limits. `errors` \
            has a JSON Pointer to the number.
            """
    )
    static let heightsNotAscending = Problem.Kind(
        "heights-not-ascending",
        .unprocessableContent,
        "The heights of the bar are not in ascending order.",
        explanation: "The rule is 0 ≤ `compactStateHeight` ≤ `normalStateHeight` ≤ `expandedStateHeight`."
    )
    static let sessionLimit = Problem.Kind(
        "session-limit",
        .tooManyRequests,
        "The limit of bars, or of their bytes, is reached.",
        explanation: """
            The number of bars and their bytes are limited. Delete bars that you do not need; after the seconds of \
            `Retry-After` others may have expired.
            """
    )
    static let answerTooLarge = Problem.Kind(
        "answer-too-large",
        .unprocessableContent,
        "The answer would be too large.",
        explanation: """
            An answer has at most 8 MiB, and the results of all events with the values of all tracks would exceed it. \
            Ask for `results=last` without `explain`, send fewer events at once, or give the bar fewer tracks or \
            shorter names. No event of the request was applied.
            """
    )
    static let clientShare = Problem.Kind(
        "client-share",
        .tooManyRequests,
        "The client has too many bars or streams.",
        explanation: """
            The bars and open streams of one client address are limited, so that no client uses all of them. End some \
            that are no longer needed, or retry after `Retry-After` seconds. The limits are set with \
            `SPRINGBAR_MAX_SESSIONS_PER_CLIENT` and `SPRINGBAR_MAX_STREAMS_PER_CLIENT`.
            """
    )
    static let barContended = Problem.Kind(
        "bar-contended",
        .serviceUnavailable,
        "The bar has too many concurrent writes.",
        explanation: "Other writes came first at every attempt, so the request had no effect. Send it again."
    )

    /// The problems of bars, beside those of every request.
    package static let bars: [Problem.Kind] = [
        .barNotFound, .scrollableMismatch, .sequenceGap, .sequenceReused, .sequenceTrimmed, .outOfRange,
        .heightsNotAscending, .answerTooLarge, .sessionLimit, .clientShare, .idempotencyKeyReused, .barContended,
        .storeUnavailable,
    ]
}

extension Problem {
    /// 429 for a client that has its share of open streams.
    static func streamShare(_ limit: Int) -> Problem {
        let detail = "A client may have at most \(limit) open streams."
        return Problem(.clientShare, detail, members: ["limit": limit], retryAfter: .seconds(5))
    }

    package init(_ error: BarSessionError) {
        switch error {
        case .notFound: self.init(.barNotFound, "No bar has this id, or it has expired.")
        case .full:
            let detail = "The service has reached its limit of bars or of their bytes."
            self.init(.sessionLimit, detail, retryAfter: .seconds(10))
        case .clientShare:
            let detail = "This client has reached its limit of bars or of their bytes."
            self.init(.clientShare, detail, retryAfter: .seconds(10))
        case .answerTooLarge(let isExplained, let hasChoice):
            let detail = "with every result, the answer would have more than \(BarAnswer.byteLimit) bytes"
            let advice = "send fewer events at once, or give the bar fewer tracks or shorter names"
            let parameter = isExplained ? "explain" : hasChoice ? "results" : nil
            let less = isExplained ? "omit `explain`, or " : hasChoice ? "set `results` to `last`, or " : ""
            let fault = Fault(parameter.map { .parameter($0) } ?? .pointer("/events"), detail)
            self.init(.answerTooLarge, "\(detail): \(less)\(advice).", errors: [fault])
        case .preconditionFailed(let tag): self = .preconditionFailed(EntityTag(tag))
        case .preconditionRequired(let tag): self = .preconditionRequired(EntityTag(tag))
        case .contended:
            self.init(.barContended, "Other writes came first at every attempt.", retryAfter: .seconds(1))
        case .unavailable:
            self.init(.storeUnavailable, "The store of the bars does not answer.", retryAfter: .seconds(1))
        case .invalid(let pointer, .scrollableMismatch(let attached, let given)):
            let detail = "`\(attached)` is attached, not `\(given)`"
            self.init(.scrollableMismatch, detail + ".", errors: [Fault(.pointer(pointer), detail)])
        case .invalid(let pointer, let error): self.init(error, at: pointer)
        case .sequenceGap(let pointer, let expected):
            let fault = Fault(.pointer(pointer), "the next event is number \(expected)")
            let detail = "The next event of this bar is number \(expected)."
            self.init(.sequenceGap, detail, errors: [fault], members: ["expectedSequence": expected])
        case .sequenceReused(let pointer, let sequence):
            let detail = "event \(sequence) has other content"
            self.init(.sequenceReused, detail + ".", errors: [Fault(.pointer(pointer), detail)])
        case .sequenceTrimmed(let first):
            let detail = first.map { "The oldest event in the log is number \($0)." } ?? "The log has no events."
            self.init(.sequenceTrimmed, detail, members: first.map { ["firstSequence": $0] } ?? [:])
        case .sequenceAhead(let last):
            self = .invalidParameter("at", "must be from 0 to \(last), the number of the last event")
        case .mixedSequences(let pointer):
            let detail = "must be in all events of a list or in none"
            self.init(.invalidContent, "\(pointer): \(detail)", errors: [Fault(.pointer(pointer), detail)])
        case .keyReused: self.init(.idempotencyKeyReused, "The key created a bar from other content.")
        case .unknownTrack(let name):
            self = .invalidParameter("tracks", "has `\(name)`, which is not a track of the bar")
        }
    }

    private init(_ error: BarLayoutError, at pointer: String) {
        let (kind, detail): (Kind, String) =
            switch error {
            case .outOfRange("progress"): (.outOfRange, "must be from 0 to 2")
            case .outOfRange("tolerance"): (.outOfRange, "must be from 0 to 1e9")
            case .outOfRange("dimension"): (.outOfRange, "must be above 0 and at most 1e9")
            case .outOfRange("constant"): (.outOfRange, "must be above 0 and at most 1")
            case .outOfRange("snapshot"): (.outOfRange, "must be from -1e12 to 1e12")
            case .outOfRange: (.outOfRange, "must be from -1e9 to 1e9")
            case .negative: (.invalidContent, "must not be negative")
            case .negativeHeight: (.heightsNotAscending, "must not be negative")
            case .heightsNotAscending: (.heightsNotAscending, "must be 0 ≤ compact ≤ normal ≤ expanded")
            case .length(_, let limit): (.invalidContent, "must have 1 to \(limit) characters")
            case .keyframes(let rule): (.invalidContent, rule)
            case .tooManyTracks(let limit): (.invalidContent, "must be at most \(limit) tracks in all")
            case .trackName(let limit):
                (.invalidContent, "the name must have 1 to \(limit) characters, none of them a control character")
            case .scrollableMismatch: (.scrollableMismatch, "is not the attached view")
            }
        let sentence = pointer.isEmpty ? detail : "\(pointer): \(detail)"
        self.init(kind, sentence, errors: [Fault(.pointer(pointer), detail)])
    }
}

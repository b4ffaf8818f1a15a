import BarLayout
package import HTTPExchange
import HTTPTypes

extension Problem.Kind {
    static let barNotFound = Problem.Kind(
        "bar-not-found",
        .notFound,
        "There is no such bar.",
        explanation: """
            The id is unknown, or the bar was deleted, or its time ran out: a bar lives for its `ttlSeconds` after the \
            last write. Create a new one.
            """
    )
    static let scrollableMismatch = Problem.Kind(
        "scrollable-mismatch",
        .conflict,
        "The event is about another scroll view than the attached one.",
        explanation: """
            The commonest cause is a late event of a list that was swapped out: drop it. To attach another view send a \
            `set` event. Nothing of the request was applied.
            """
    )
    static let sequenceGap = Problem.Kind(
        "sequence-gap",
        .conflict,
        "Events are missing before this one.",
        explanation: """
            `sequence` counts the events of a bar from 1 without gaps. `expectedSequence` is the next number; send the \
            events from there on. Nothing of the request was applied.
            """
    )
    static let sequenceReused = Problem.Kind(
        "sequence-reused",
        .conflict,
        "This number belongs to another event.",
        explanation: """
            An event with this `sequence` was applied before and had other content. The same content would have been \
            answered again. Two writers who number events by themselves run into this: let one of them do it, or use \
            `If-Match` instead.
            """
    )
    static let sequenceTrimmed = Problem.Kind(
        "sequence-trimmed",
        .gone,
        "The log does not reach back that far.",
        explanation: """
            The last 512 events of a bar are kept, and fewer when the bars of the service together need the room. \
            `firstSequence` is the oldest one that is there, if any.
            """
    )
    static let outOfRange = Problem.Kind(
        "out-of-range",
        .unprocessableContent,
        "A number is beyond what a screen can mean.",
        explanation: """
            Coordinates, sizes, numbers of events and the like are from -1e9 to 1e9, some of them within narrower \
            limits. `errors` has a JSON Pointer to the number.
            """
    )
    static let heightsNotAscending = Problem.Kind(
        "heights-not-ascending",
        .unprocessableContent,
        "The heights of the bar are not in order.",
        explanation: "It takes 0 ≤ `compactStateHeight` ≤ `normalStateHeight` ≤ `expandedStateHeight`."
    )
    static let sessionLimit = Problem.Kind(
        "session-limit",
        .tooManyRequests,
        "There is no room for more.",
        explanation: """
            The service keeps a limited number of bars in a limited number of bytes. Delete bars that you do not need; \
            `Retry-After` has the seconds after which others may have run out.
            """
    )
    static let answerTooLarge = Problem.Kind(
        "answer-too-large",
        .unprocessableContent,
        "The answer would be too large.",
        explanation: """
            An answer has at most 8 MiB, and the results of every event with the values of every track would have more. \
            Ask for `results=last`, send fewer events at once, or give the bar fewer tracks or shorter names. Nothing of \
            the request was applied.
            """
    )
    static let idempotencyKeyReused = Problem.Kind(
        "idempotency-key-reused",
        .unprocessableContent,
        "This Idempotency-Key came with other content before.",
        explanation: """
            A key names one creation for as long as its bar lives. The same content would have given the same bar; for \
            another bar take another key.
            """
    )
    static let idempotencyKeyRunning = Problem.Kind(
        "idempotency-key-running",
        .conflict,
        "A request with this Idempotency-Key is still at work.",
        explanation: "Wait for its answer, or send the same again a little later."
    )
    static let barContended = Problem.Kind(
        "bar-contended",
        .serviceUnavailable,
        "Too many write to this bar at once.",
        explanation: "The request never got its turn and changed nothing. Send it again."
    )

    /// What can go wrong with bars, beside what can go wrong with any request.
    package static let bars: [Problem.Kind] = [
        .barNotFound, .scrollableMismatch, .sequenceGap, .sequenceReused, .sequenceTrimmed, .outOfRange,
        .heightsNotAscending, .answerTooLarge, .sessionLimit, .idempotencyKeyReused, .idempotencyKeyRunning,
        .barContended,
    ]
}

extension Problem {
    /// Words what the bars have to object.
    package init(_ error: BarSessionError) {
        switch error {
        case .notFound: self.init(.barNotFound, "No bar has this id, or its time is over.")
        case .full: self.init(.sessionLimit, "The service is full of bars.", fields: [.retryAfter: "10"])
        case .clientShare:
            self.init(
                .clientShare,
                "This client has as many bars, or bytes of bars, as one client may have.",
                fields: [.retryAfter: "10"]
            )
        case .answerTooLarge(let canAskForLess):
            let detail = "with every result, the answer would have more than \(BarAnswer.byteLimit) bytes"
            let advice = "send fewer events at once, or give the bar fewer tracks or shorter names"
            self.init(
                .answerTooLarge,
                canAskForLess
                    ? "\(detail): set `results` to `last`, or \(advice)." : "\(detail): \(advice).",
                errors: [Fault(canAskForLess ? .parameter("results") : .pointer("/events"), detail)]
            )
        case .contended: self.init(.barContended, "Others write without a break.", fields: [.retryAfter: "1"])
        case .invalid(let pointer, let error): self.init(error, at: pointer)
        case .scrollableMismatch(let pointer, let attached, let given):
            let detail = "`\(attached)` is attached, not `\(given)`"
            self.init(.scrollableMismatch, detail + ".", errors: [Fault(.pointer(pointer), detail)])
        case .sequenceGap(let pointer, let expected):
            let detail = "the next event is number \(expected)"
            self.init(
                .sequenceGap,
                "The next event of this bar is number \(expected).",
                errors: [Fault(.pointer(pointer), detail)],
                members: [Member("expectedSequence", expected)]
            )
        case .sequenceReused(let pointer, let sequence):
            let detail = "event \(sequence) was another one"
            self.init(.sequenceReused, detail + ".", errors: [Fault(.pointer(pointer), detail)])
        case .sequenceTrimmed(let first):
            self.init(
                .sequenceTrimmed,
                first.map { "The oldest event that is kept is number \($0)." } ?? "No event is kept.",
                members: first.map { [Member("firstSequence", $0)] } ?? []
            )
        case .sequenceAhead(let last): self = .invalidParameter("at", "has to be from 0 to \(last), the last event")
        case .mixedSequences(let pointer):
            let detail = "a batch numbers all of its events or none"
            self.init(.invalidContent, "\(pointer): \(detail)", errors: [Fault(.pointer(pointer), detail)])
        case .keyReused: self.init(.idempotencyKeyReused, "The earlier content made another bar.")
        case .keyRunning: self.init(.idempotencyKeyRunning, "The bar is being made.", fields: [.retryAfter: "1"])
        case .unknownTrack(let name): self = .invalidParameter("tracks", "names `\(name)`, which the bar does not have")
        }
    }

    private init(_ error: BarLayoutError, at pointer: String) {
        let (kind, detail): (Kind, String) =
            switch error {
            case .outOfRange("progress"): (.outOfRange, "must be from 0 to 2")
            case .outOfRange("dimension"): (.outOfRange, "must be above 0 and at most 1e9")
            case .outOfRange("constant"): (.outOfRange, "must be above 0 and at most 1")
            case .outOfRange: (.outOfRange, "must be from -1e9 to 1e9")
            case .negative: (.invalidContent, "must not be negative")
            case .negativeHeight: (.heightsNotAscending, "must not be negative")
            case .heightsNotAscending: (.heightsNotAscending, "must be 0 ≤ compact ≤ normal ≤ expanded")
            case .length(_, let limit): (.invalidContent, "must have 1 to \(limit) characters")
            case .keyframes(let rule): (.invalidContent, rule)
            case .tooManyTracks(let limit): (.invalidContent, "must be at most \(limit) tracks in all")
            case .trackName(let limit):
                (.invalidContent, "its name must have 1 to \(limit) characters, none of them a control character")
            case .scrollableMismatch: (.scrollableMismatch, "is not the attached view")
            }
        let sentence = pointer.isEmpty ? detail : "\(pointer): \(detail)"
        self.init(kind, sentence, errors: [Fault(.pointer(pointer), detail)])
    }
}

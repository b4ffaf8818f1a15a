import BarLayout
import Primitives

/// What is said about a bar after a request.
struct BarAnswer: Sendable {
    /// nil for a bar that was never stored.
    var id: BarID?
    var revision: Int
    var lastSequence: Int
    /// nil for a bar that was never stored, and for a state of the past.
    var expiresAt: WallTime?
    var session: BarSession
    /// Those of the whole request, in order.
    var commands: [NumberedCommand] = []
    /// The view that the last event got ready.
    var preconfigured: Preconfigured?
    /// Whether every event of the request had been applied before.
    var isReplayed = false
    /// Every event by itself; nil when nobody asked.
    var results: [EventResult]?
    /// Whether commands and values are told.
    var isBrief = false
    /// The tracks to evaluate; nil for all.
    var trackNames: [String]?
    /// The answer as JSON, once it was made to find out whether it is too large.
    private(set) var encoded: [UInt8]?

    /// A command and the number of the event that gave it; 0 for the attachment at the creation.
    struct NumberedCommand: Sendable {
        let sequence: Int
        let command: BarCommand
    }

    /// What one event did.
    struct EventResult: Sendable {
        let sequence: Int
        /// The bar right after it.
        let session: BarSession
        let outcome: BarOutcome
        let isReplayed: Bool
    }
}

extension BarAnswer {
    /// A stored bar as it stands.
    init(_ id: BarID, _ record: BarRecord) {
        self.init(
            id: id,
            revision: record.revision,
            lastSequence: record.lastSequence,
            expiresAt: record.expiresAt,
            session: record.session
        )
    }
}

extension BarAnswer {
    /// The most bytes of an answer.
    ///
    /// Only results can be more. Without them, a bar of 128 tracks and the commands of 500 events have less than a
    /// megabyte; see `BarAnswerSizeTests`.
    static let byteLimit = 8 << 20

    /// Makes the JSON of an answer with results; afterwards nothing else of it may be changed.
    ///
    /// - Parameter canAskForLess: whether the request could have asked for less than all results.
    /// - Throws: `answerTooLarge`, after no more than ``byteLimit`` bytes were written.
    mutating func encodeResults(canAskForLess: Bool) throws(BarSessionError) {
        guard results != nil else { return }
        guard let json = json(limit: BarAnswer.byteLimit) else {
            throw .answerTooLarge(canAskForLess: canAskForLess)
        }
        encoded = json
        results = nil
    }
}

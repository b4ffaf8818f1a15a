import HTTPExchange
import JSON

/// A bar's state as its observers get it, put into bytes once for all of them.
struct BarPublication: Sendable {
    let revision: Int
    /// State, insets and values: what has to differ to be a change.
    let look: [UInt8]
    let hasCommands: Bool
    /// The event of the stream.
    let event: [UInt8]
    /// The same with the commands of the request that led here; empty when no observer wants them.
    let eventWithCommands: [UInt8]

    init(_ answer: BarAnswer, withCommands: Bool) {
        var answer = answer
        answer.results = nil
        answer.preconfigured = nil
        answer.isReplayed = false
        answer.isBrief = false
        answer.trackNames = nil
        revision = answer.revision
        look = answer.look
        hasCommands = !answer.commands.isEmpty
        event = BarPublication.event(answer, withCommands: false)
        eventWithCommands = withCommands ? BarPublication.event(answer, withCommands: true) : []
    }

    private static func event(_ answer: BarAnswer, withCommands: Bool) -> [UInt8] {
        let data = String(decoding: answer.json(withCommands: withCommands), as: UTF8.self)
        return ServerSentEvent("state", id: String(answer.revision), data: data).bytes
    }
}

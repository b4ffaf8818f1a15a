import BarLayout
import HTTPExchange
import JSON

/// A bar's state as its observers get it, put into bytes once for all of them.
struct BarPublication: Sendable {
    let revision: Int
    /// The bar: state, insets and values have to differ for a change.
    let session: BarSession
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
        session = answer.session
        hasCommands = !answer.commands.isEmpty
        event = BarPublication.event(answer, withCommands: false)
        eventWithCommands = withCommands ? BarPublication.event(answer, withCommands: true) : []
    }

    private static func event(_ answer: BarAnswer, withCommands: Bool) -> [UInt8] {
        // Written anew, as results are the caller's alone. `!`: nil is for a limit that is exceeded.
        let data = String(decoding: answer.json(withCommands: withCommands, limit: .max)!, as: UTF8.self)
        return ServerSentEvent("state", id: String(answer.revision), data: data).bytes
    }
}

extension BarSession {
    /// Whether an observer sees the same: state, name and insets of the view, and the values of the tracks.
    func looksSame(as other: BarSession) -> Bool {
        let (inset, otherInset) = (scrollable.geometry.contentInset, other.scrollable.geometry.contentInset)
        guard state == other.state, scrollable.id == other.scrollable.id, inset.top == otherInset.top,
            inset.bottom == otherInset.bottom
        else { return false }
        if sharesHeap(with: other) { return true }
        return tracks.all.elementsEqual(other.tracks.all) { track, otherTrack in
            track.name == otherTrack.name && track.value(at: state) == otherTrack.value(at: other.state)
        }
    }
}

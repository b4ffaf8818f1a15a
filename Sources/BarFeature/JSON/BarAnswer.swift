import BarLayout
import HTTPExchange
import JSON
import Primitives

/// What an answer has besides the state of the bar.
struct BarAnswer: Sendable {
    /// The bar; nil for one that is not stored.
    let id: BarID?
    /// The end of the bar; nil for a bar that is not stored, and for a past state.
    var expiresAt: WallTime?
    /// The commands of all events, in order.
    var commands: [NumberedCommand] = []
    /// The view that the last event configured, if it was a `preconfigure`.
    var preconfigured: Preconfigured?
    /// The result of each event; nil unless the request selects results.
    var results: [EventResult]?
    /// Whether every event of the request was applied by an earlier one.
    var isReplayed = false
    /// Whether commands and values are left out.
    var isBrief = false
    /// Whether the answer has all values that the bar keeps.
    var hasSnapshot = false
    /// The tracks to evaluate; nil for all.
    var trackNames: [String]?
}

/// A command with the number of its event, or 0 for the attachment at the creation.
package struct NumberedCommand: Sendable {
    let sequence: Int
    let command: BarCommand
}

struct EventResult: Sendable {
    let event: BarEvent
    /// The bar after the event, which has the number of the event.
    let record: BarRecord
    let outcome: BarOutcome
    var isReplayed: Bool
}

package struct EncodedBar: Sendable {
    /// The bar; nil for one that is not stored.
    let id: BarID?
    let tag: BarTag
    let json: [UInt8]
}

extension BarAnswer {
    /// The most bytes of an answer; only results can exceed it (`BarAnswerSizeTests`).
    static let byteLimit = 8 << 20

    /// Encodes the answer with a state of the bar, and reserves memory for it.
    ///
    /// An operation encodes its answer before it changes anything, so a refusal means that nothing was changed.
    ///
    /// - Throws: `BarSessionError.answerTooLarge`, after at most ``byteLimit`` bytes and one result; `Refusal.overloaded`.
    func encoded(_ record: BarRecord, in memory: RequestMemory) throws -> EncodedBar {
        try memory.reserve(capacityEstimate(record))
        let json = json(record, limit: BarAnswer.byteLimit)
        guard json.count <= BarAnswer.byteLimit else {
            let isExplained = results?.first?.outcome.explanation != nil
            // A request about a stored bar can select fewer results.
            throw BarSessionError.answerTooLarge(isExplained: isExplained, hasChoice: id != nil)
        }
        try memory.reserve(json.count)
        return EncodedBar(id: id, tag: record.tag, json: json)
    }

    /// Writes the answer as JSON, with no more results once `limit` is exceeded.
    func json(_ record: BarRecord, withCommands: Bool = true, limit: Int = .max) -> [UInt8] {
        JSONWriter.document(capacity: capacityEstimate(record)) { json in
            json.object { write(record, to: &$0, withCommands, limit) }
        }
    }

    /// Returns the part of an answer that changes for observers: the state, the attached view and the values.
    static func visibleState(of session: BarSession) -> [UInt8] {
        JSONWriter.document(capacity: 640) { json in
            json.members(session)
            json.values(of: session)
        }
    }

    private func write(_ record: BarRecord, to json: inout JSONWriter, _ withCommands: Bool, _ limit: Int) {
        let session = record.session
        json.key("id")
        if let id { json.ascii(room: BarID.length) { id.write(to: $0) } } else { json.null() }
        json.member("revision", record.revision)
        json.member("lastSequence", record.lastSequence)
        json.key("expiresAt")
        if let expiresAt {
            json.ascii(room: WallTime.secondsLength) { expiresAt.writeSeconds(to: $0) }
        } else {
            json.null()
        }
        json.members(session)
        if hasSnapshot { json.member("snapshot", session.snapshot) }
        guard !isBrief else { return }
        if withCommands {
            json.array("commands") { json in
                for command in commands { json.value(command.command, of: command.sequence) }
            }
        }
        json.values(of: session, named: trackNames)
        if let preconfigured { json.member(preconfigured) }
        if isReplayed { json.member("replayed", true) }
        if let results {
            json.array("results") { json in
                for result in results where json.byteCount <= limit { json.value(result) }
            }
        }
    }

    /// An estimate of the bytes, so that a large answer is not copied often while it grows.
    private func capacityEstimate(_ record: BarRecord) -> Int {
        guard let results else { return hasSnapshot ? 1280 : 640 }
        // A number and its punctuation have at most 28 bytes.
        let values = record.session.tracks.all.reduce(0) { $0 + $1.name.utf8.count + 28 }
        return min(640 + results.count * (480 + values), BarAnswer.byteLimit)
    }
}

extension JSONWriter {
    /// Writes the state of the bar, and the insets of the attached view, after other members.
    fileprivate mutating func members(_ session: BarSession) {
        let state = session.state
        part(#","state":{"offset":"#, state.offset)
        part(#","height":"#, state.height)
        part(#","isExpandedStateAvailable":"#)
        value(state.isExpandedStateAvailable)
        part(#","transitionProgress":"#, state.transitionProgress)
        part(#","stateRange":"#)
        value(state.stateRange.rawValue)
        part(#"},"scrollable":{"id":"#)
        value(session.scrollableID)
        insets(session.contentInset, indicatorTop: session.scrollIndicatorInsetTop)
        part("}")
    }

    private mutating func insets(_ inset: EdgeInsets, indicatorTop: Double) {
        part(#","contentInset":{"top":"#, inset.top)
        part(#","bottom":"#, inset.bottom)
        part(#"},"scrollIndicatorInsets":{"top":"#, indicatorTop)
        part("}")
    }

    fileprivate mutating func member(_ preconfigured: Preconfigured) {
        object("preconfigured") { json in
            json.member("id", preconfigured.scrollableID)
            json.insets(preconfigured.contentInset, indicatorTop: preconfigured.scrollIndicatorInsetTop)
        }
    }

    /// Writes the values of the tracks with these names, in their order; of all tracks for nil.
    fileprivate mutating func values(of session: BarSession, named names: [String]? = nil) {
        object("values") { json in
            if let names {
                for name in names { json.member(name, session.tracks[name]?.value(at: session.state)) }
            } else {
                for track in session.tracks.all { json.member(track.name, track.value(at: session.state)) }
            }
        }
    }

    fileprivate mutating func value(_ command: BarCommand, of sequence: Int) {
        object { json in
            json.member("sequence", sequence)
            json.member("type", "updateContentOffset")
            json.member("scrollableId", command.scrollableID)
            json.member("x", command.target.x)
            json.member("y", command.target.y)
            json.member("animated", command.animated)
            json.member("duration", command.duration)
            json.member("stopsDeceleration", true)
            guard let spring = command.spring else { return }
            json.object("spring") { json in
                json.member("dampingRatio", spring.dampingRatio)
                json.member("response", spring.response)
                json.member("relativeVelocity", spring.relativeVelocity)
            }
        }
    }

    fileprivate mutating func value(_ result: EventResult) {
        object { json in
            json.member("sequence", result.record.lastSequence)
            json.members(result.record.session)
            json.array("commands") { json in
                for command in result.outcome.commands { json.value(command, of: result.record.lastSequence) }
            }
            json.values(of: result.record.session)
            json.member("replayed", result.isReplayed)
            if let preconfigured = result.outcome.preconfigured { json.member(preconfigured) }
            if !result.outcome.crossings.isEmpty {
                json.objects("crossings", result.outcome.crossings) { json, crossing in
                    json.member("from", crossing.from.rawValue)
                    json.member("to", crossing.to.rawValue)
                    json.member("direction", crossing.isExpanding ? "expanding" : "collapsing")
                }
            }
            guard let explanation = result.outcome.explanation else { return }
            json.object("explain") { json in
                json.member("rule", explanation.rule.rawValue)
                json.objects("reductions", explanation.reductions) { json, reduction in
                    json.member("previousY", reduction.previousY)
                    json.member("y", reduction.y)
                    json.member("deltaY", reduction.deltaY)
                    json.objects("stages", reduction.stages) { json, stage in
                        json.member("name", stage.name)
                        json.member("deltaY", stage.deltaY)
                    }
                }
            }
        }
    }
}

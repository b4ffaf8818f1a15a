import BarLayout
import JSON
import Primitives

extension BarAnswer {
    /// The answer as the contract writes it: always the same members in the same order.
    var json: [UInt8] {
        // `!`: nil is for a limit that is exceeded.
        encoded ?? json(limit: .max)!
    }

    /// Writes the answer; nil if it has more than `limit` bytes, of which that and one result are written at the most.
    func json(withCommands: Bool = true, limit: Int) -> [UInt8]? {
        var json = JSONWriter(capacity: min(capacityEstimate, limit))
        json.object { json in
            json.member("id", id)
            json.member("revision", revision)
            json.member("lastSequence", lastSequence)
            json.member("expiresAt", expiresAt)
            json.member(session)
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
        return json.byteCount > limit ? nil : json.bytes
    }

    /// Room for most answers, so that a large one is not copied again and again while it grows.
    private var capacityEstimate: Int {
        guard let results else { return 640 }
        // A number and its punctuation have 28 bytes at the most.
        let values = session.tracks.all.reduce(0) { $0 + $1.name.utf8.count + 28 }
        return 640 + results.count * (480 + values)
    }
}

/// Something that is written in a fixed number of ASCII characters, none of which JSON escapes.
private protocol PlainText {
    static var length: Int { get }
    func write(to text: UnsafeMutableBufferPointer<UInt8>)
}

extension BarID: PlainText {}
extension WallTime: PlainText {}

extension JSONWriter {
    /// Writes a member with plain text that needs no `String`, or `null` for nil.
    fileprivate mutating func member(_ name: StaticString, _ text: (some PlainText)?) {
        key(name)
        guard let text else { return null() }
        ascii(room: type(of: text).length) { target in
            text.write(to: target)
            return type(of: text).length
        }
    }

    /// The state, and what was written to the attached view.
    fileprivate mutating func member(_ session: BarSession) {
        let state = session.state
        object("state") { json in
            json.member("offset", state.offset)
            json.member("height", state.height)
            json.member("isExpandedStateAvailable", state.isExpandedStateAvailable)
            json.member("transitionProgress", state.transitionProgress)
            json.member("stateRange", state.stateRange.rawValue)
        }
        object("scrollable") { json in
            json.member("id", session.snapshot.scrollable.id)
            let inset = session.snapshot.scrollable.geometry.contentInset
            json.insets(inset, indicatorTop: session.scrollIndicatorInsetTop)
        }
    }

    fileprivate mutating func insets(_ inset: EdgeInsets, indicatorTop: Double) {
        object("contentInset") { json in
            json.member("top", inset.top)
            json.member("bottom", inset.bottom)
        }
        object("scrollIndicatorInsets") { $0.member("top", indicatorTop) }
    }

    fileprivate mutating func member(_ preconfigured: Preconfigured) {
        object("preconfigured") { json in
            json.member("id", preconfigured.scrollableID)
            json.insets(preconfigured.contentInset, indicatorTop: preconfigured.scrollIndicatorInsetTop)
        }
    }

    /// The tracks' numbers; `names` in their order, or all in the bar's.
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

    fileprivate mutating func value(_ result: BarAnswer.EventResult) {
        object { json in
            json.member("sequence", result.sequence)
            json.member(result.session)
            json.array("commands") { json in
                for command in result.outcome.commands { json.value(command, of: result.sequence) }
            }
            json.values(of: result.session)
            json.member("replayed", result.isReplayed)
            if let preconfigured = result.outcome.preconfigured { json.member(preconfigured) }
            if !result.outcome.crossings.isEmpty {
                json.array("crossings") { json in
                    for crossing in result.outcome.crossings { json.value(crossing) }
                }
            }
            if let explanation = result.outcome.explanation { json.member(explanation) }
        }
    }

    private mutating func value(_ crossing: Crossing) {
        object { json in
            json.member("from", crossing.from.rawValue)
            json.member("to", crossing.to.rawValue)
            json.member("direction", crossing.isExpanding ? "expanding" : "collapsing")
        }
    }

    private mutating func member(_ explanation: Explanation) {
        object("explain") { json in
            json.member("rule", explanation.rule.rawValue)
            json.array("reductions") { json in
                for reduction in explanation.reductions { json.value(reduction) }
            }
        }
    }

    private mutating func value(_ reduction: Explanation.Reduction) {
        object { json in
            json.member("previousY", reduction.previousY)
            json.member("y", reduction.y)
            json.member("deltaY", reduction.deltaY)
            json.array("stages") { json in
                for stage in reduction.stages {
                    json.object { json in
                        json.member("name", stage.name)
                        json.member("deltaY", stage.deltaY)
                    }
                }
            }
        }
    }
}

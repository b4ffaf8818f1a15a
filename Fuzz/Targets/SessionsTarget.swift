import HTTPTypes
import JSON
import Synchronization

@testable import HTTPExchange

/// A client of bars.
///
/// Each byte is a step, and each step is followed by checks of the contract.
@Sendable
func fuzzSessions(_ bytes: [UInt8]) {
    var client = BarClient(Input(bytes))
    client.create()
    var steps = 0
    while !client.input.isAtEnd, steps < 48 {
        steps += 1
        client.step()
    }
    client.deleteAll()
}

/// The client's knowledge of its bars.
private struct BarClient {
    var input: Input
    private var bars: [Bar] = []

    private struct Bar {
        let path: String
        var revision: Int
        var lastSequence: Int
        var text: String
    }

    init(_ input: Input) {
        self.input = input
    }

    mutating func step() {
        guard !bars.isEmpty else { return create() }
        let index = input.count(upTo: bars.count - 1)
        switch input.count(upTo: 9) {
        case 0...3: post(to: index, count: 1 + input.count(upTo: 6))
        case 4: retry(index)
        case 5: setTracks(of: index)
        case 6: fork(index)
        case 7: readHistory(of: index)
        case 8: create()
        default: pass()
        }
    }

    mutating func create() {
        guard bars.count < 6 else { return }
        let content = BarContent.creation(&input)
        let answer = Service.application.answer(.sending(Array(content.utf8), to: "/v1/bars"))
        require([201, 400, 422].contains(answer.status), "\(answer.status) for \(content): \(answer.text)")
        guard answer.status == 201 else { return }
        add(answer)
    }

    private mutating func add(_ answer: Answer) {
        do {
            let bar = try answer.json.object()
            let path = "/v1/bars/\(try bar.required("id").string())"
            bars.append(
                Bar(path: path, revision: 0, lastSequence: try bar.required("lastSequence").integer(), text: "")
            )
        } catch {
            fail("the response is not a bar: \(answer.text)")
        }
        refresh(bars.count - 1)
    }

    /// Reads a bar, and checks that its numbers do not decrease.
    private mutating func refresh(_ index: Int) {
        let answer = Service.application.answer(Request(method: .get, target: Target(bars[index].path)))
        guard answer.status == 200 else { fail("a bar does not exist any more: \(answer.text)") }
        do {
            let bar = try answer.json.object()
            try checkState(bar)
            let (revision, last) = (try bar.required("revision").integer(), try bar.required("lastSequence").integer())
            require(revision >= bars[index].revision && last >= bars[index].lastSequence, "a number decreases")
            bars[index].revision = revision
            bars[index].lastSequence = last
            bars[index].text = answer.text
        } catch {
            fail("the response is not a bar: \(answer.text)")
        }
    }

    private mutating func post(to index: Int, count: Int) {
        let isNumbered = input.flag()
        let first = bars[index].lastSequence + (input.byte() > 240 ? 2 : 1)
        var events: [String] = []
        for number in 0..<count {
            let sequence = isNumbered ? ",\"sequence\":\(first + number)" : ""
            events.append("{\(BarContent.event(&input))\(sequence)}")
        }
        let content = Array("{\"events\":[\(events.joined(separator: ","))]}".utf8)
        let target = bars[index].path + "/events?results=all" + (input.flag() ? "&explain=true" : "")
        let before = bars[index]
        let answer = Service.application.answer(.sending(content, to: target))
        require([200, 400, 409, 422].contains(answer.status), "\(answer.status): \(answer.text)")
        refresh(index)
        guard answer.status == 200 else {
            require(bars[index].text == before.text, "a refused request changed the bar")
            return
        }
        require(bars[index].revision == before.revision + count, "\(count) events gave another number of revisions")
        if isNumbered { replay(content, target, as: answer, on: index) }
    }

    /// Checks that the same batch gives the same results and changes nothing.
    private mutating func replay(_ content: [UInt8], _ target: String, as first: Answer, on index: Int) {
        let before = bars[index].text
        let again = Service.application.answer(.sending(content, to: target))
        require(again.status == 200, "a retry is refused: \(again.text)")
        do {
            let results = (try first.json.object().required("results").array(), try again.json.object())
            for (one, other) in zip(results.0, try results.1.required("results").array()) {
                let (one, other) = (try one.object(), try other.object())
                require(try other.required("replayed").bool(), "a retry is not marked as replayed")
                for name in ["sequence", "state", "scrollable", "commands", "values"] {
                    require(one.text(of: name) == other.text(of: name), "a retry has another \(name)")
                }
            }
        } catch {
            fail("the response to a retry has another form: \(error)")
        }
        refresh(index)
        require(bars[index].text == before, "a retry changed the bar")
    }

    /// Checks that a used sequence number with other content is refused.
    private mutating func retry(_ index: Int) {
        guard bars[index].lastSequence > 0 else { return }
        let before = bars[index].text
        let content = "{\(BarContent.event(&input)),\"sequence\":\(bars[index].lastSequence)}"
        let answer = Service.application.answer(.sending(Array(content.utf8), to: bars[index].path + "/events"))
        require([200, 400, 409, 410, 422].contains(answer.status), "\(answer.status): \(answer.text)")
        refresh(index)
        require(bars[index].text == before, "a used sequence number changed the bar")
    }

    private mutating func setTracks(of index: Int) {
        let before = bars[index]
        let isFresh = input.byte() < 224
        let answer = Service.application.answer(
            Request(
                method: .put,
                target: Target(bars[index].path + "/tracks"),
                fields: [
                    .contentType: "application/json",
                    .ifMatch: "\"\(isFresh ? before.revision : before.revision + 1)\"",
                ],
                content: Array(BarContent.tracks(&input, withNull: true).utf8)
            )
        )
        require([200, 400, 412, 422].contains(answer.status), "\(answer.status): \(answer.text)")
        if !isFresh { require(answer.status != 200, "If-Match is not honoured") }
        refresh(index)
        if answer.status != 200 { require(bars[index].text == before.text, "a refused change changed the bar") }
    }

    private mutating func fork(_ index: Int) {
        guard bars.count < 6 else { return }
        let answer = Service.application.answer(
            Request(
                method: .post,
                target: Target(bars[index].path + "/fork"),
                fields: [.contentType: "application/json"]
            )
        )
        require(answer.status == 201, "a fork is refused: \(answer.text)")
        add(answer)
    }

    /// Checks every state in the log, and the log itself.
    private mutating func readHistory(of index: Int) {
        let bar = bars[index]
        for sequence in [0, bar.lastSequence / 2, bar.lastSequence, bar.lastSequence + 1] {
            let target = Target("\(bar.path)/states?at=\(sequence)")
            let answer = Service.application.answer(Request(method: .get, target: target))
            let allowed = sequence > bar.lastSequence ? [400, 404, 409, 422] : [200, 410]
            require(allowed.contains(answer.status), "\(answer.status) for \(sequence) of \(bar.lastSequence)")
        }
        let target = Target("\(bar.path)/events?after=\(input.byte())&limit=\(1 + input.count(upTo: 254))")
        require(Service.application.answer(Request(method: .get, target: target)).status == 200, "no log is returned")
    }

    /// Advances the time by less than the shortest life of a bar: 10 seconds after its last write.
    private mutating func pass() {
        Service.milliseconds.add(input.count(upTo: 100), ordering: .relaxed)
    }

    mutating func deleteAll() {
        for bar in bars {
            let answer = Service.application.answer(Request(method: .delete, target: Target(bar.path)))
            require(answer.status == 204, "a bar cannot be deleted: \(answer.text)")
            let gone = Service.application.answer(Request(method: .get, target: Target(bar.path)))
            require(gone.status == 404, "a deleted bar still exists")
        }
    }
}

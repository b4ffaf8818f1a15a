import BarFeature
import Foundation
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

@Suite("Retries", .onEveryStore)
struct BarRetryStormTests {
    /// Numbered events of typical use: drags, flings, bounces, growing content, other views, buttons.
    static func trace(seed: UInt64, length: Int) -> [String] {
        var random = SeededGenerator(seed: seed)
        var y = 500.0
        var bodies: [String] = []
        func event(_ members: String) {
            bodies.append("{\"sequence\":\(bodies.count + 1),\(members)}")
        }
        func offset() { event("\"type\":\"contentOffset\",\"contentOffset\":{\"x\":0,\"y\":\(y)}") }
        while bodies.count < length {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...3:
                event(#""type":"panGesture","state":"began""#)
                let speed = Double(Int.random(in: -200...200, using: &random)) / 4
                for _ in 0..<Int.random(in: 2...9, using: &random) {
                    y += speed
                    offset()
                    event(#""type":"panGesture","state":"changed""#)
                }
                event("\"type\":\"panGesture\",\"state\":\"ended\",\"velocity\":{\"x\":0,\"y\":\(speed * 60)}")
            case 4:
                for bounce in [0.0, 30, 50, 20, 0] {
                    y = -200 - bounce
                    offset()
                }
            case 5:
                let height = Int.random(in: 300...9000, using: &random)
                event("\"type\":\"contentSize\",\"contentSize\":{\"width\":375,\"height\":\(height)}")
            case 6: event("\"type\":\"expand\",\"on\":\(Bool.random(using: &random))")
            default:
                y = Double(Int.random(in: -100...900, using: &random))
                event("\"type\":\"set\",\"scrollable\":\(Bodies.scrollable("v\(bodies.count % 7)", y: y))")
            }
        }
        return Array(bodies.prefix(length))
    }

    static let options = [
        "", #""options":{"snap":"projected","snapSequential":true,"fixes":["overscroll"]}"#, #""feedback":"echoed""#,
    ]

    /// The parts of an answer with results: the bar after the last event, the commands of all events, and the results.
    private struct Answer {
        let bar: Substring
        let commands: Substring
        let results: Substring

        init(_ answer: Response) throws {
            let text = answer.text
            let commands = try #require(text.firstRange(of: #","commands":["#))
            let values = try #require(text.firstRange(of: #"],"values":"#))
            let results = try #require(text.firstRange(of: #""results":["#))
            bar = text[..<commands.lowerBound]
            self.commands = text[commands.upperBound..<values.lowerBound]
            self.results = text[results.upperBound...].dropLast(2)
        }
    }

    @Test(
        "one by one, as one batch, dry, and twice or more in random batches, a trace leads to the same bytes",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func storm(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let events = Self.trace(seed: seed, length: 400)
        let creation = Bodies.create(Self.options[Int(seed) % 3])
        let clean = try Service(seed: seed)
        let stormy = try Service(seed: seed)
        let path = try clean.bar(creation)
        #expect(try stormy.bar(creation) == path)
        let singles = try events.map { try Answer(clean.post(path + "/events?results=all", $0)) }
        let applied = singles.map { String($0.results) }
        let replayed = applied.map { $0.replacing(#""replayed":false"#, with: #""replayed":true"#) }
        #expect(zip(applied, replayed).allSatisfy { $0 != $1 })

        var next = 0
        while next < events.count {
            // A retry starts at any earlier event and may have new ones.
            let start = max(0, next - Int.random(in: 0...30, using: &random))
            let end = min(events.count, next + Int.random(in: 1...25, using: &random))
            let body = end - start == 1 ? events[start] : Bodies.batch(Array(events[start..<end]))
            for _ in 0..<Int.random(in: 2...3, using: &random) {
                let response = stormy.post(path + "/events?results=all", body)
                #expect(response.bool("/replayed") == (next == end ? true : nil))
                let answer = try Answer(response)
                #expect(answer.bar == singles[end - 1].bar)
                let commands = singles[start..<end].map(\.commands).filter { !$0.isEmpty }
                #expect(answer.commands == commands.joined(separator: ","))
                #expect(answer.results == (replayed[start..<next] + applied[next..<end]).joined(separator: ","))
                next = end
            }
        }
        #expect(stormy.get(path).text == clean.get(path).text)
        #expect(stormy.get(path + "/events?limit=512").text == clean.get(path + "/events?limit=512").text)
        for sequence in stride(from: 0, through: 400, by: 57) {
            let query = path + "/states?at=\(sequence)"
            #expect(stormy.get(query).text == clean.get(query).text)
        }

        let batches = try Service()
        let batch = batches.post(try batches.bar(creation) + "/events?results=all", Bodies.batch(events))
        #expect(try Answer(batch).results == applied.joined(separator: ","))
        let dry = batches.post(
            "/v1/bars/apply",
            creation.dropLast() + ",\"events\":[\(events.joined(separator: ","))]}"
        )
        #expect(try Answer(dry).results == applied.joined(separator: ","))
    }
}

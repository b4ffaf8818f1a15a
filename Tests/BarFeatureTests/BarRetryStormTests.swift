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

    @Test(
        "every request sent twice or more, in random batches, ends in the same bytes",
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
        for event in events { #expect(clean.post(path + "/events", event).status == 200) }

        var next = 0
        while next < events.count {
            // A retry starts at any earlier event and may have new ones.
            let start = max(0, next - Int.random(in: 0...30, using: &random))
            let end = min(events.count, next + Int.random(in: 1...25, using: &random))
            let body = end - start == 1 ? events[start] : Bodies.batch(Array(events[start..<end]))
            for _ in 0..<Int.random(in: 2...3, using: &random) {
                #expect(stormy.post(path + "/events?results=all", body).status == 200)
            }
            next = end
        }
        #expect(stormy.get(path).text == clean.get(path).text)
        #expect(stormy.get(path + "/events?limit=512").text == clean.get(path + "/events?limit=512").text)
        for sequence in stride(from: 0, through: 400, by: 57) {
            let query = path + "/states?at=\(sequence)"
            #expect(stormy.get(query).text == clean.get(query).text)
        }
    }

    @Test(
        "one by one, as one batch, and dry, a trace leads to the same state and the same results",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func ways(seed: UInt64) throws {
        let events = Self.trace(seed: seed, length: 300)
        let creation = Bodies.create(Self.options[Int(seed) % 3])
        func tail(_ answer: Response) throws -> Substring {
            // Only the part after `"results":[` is equal, because the ids differ.
            let text = answer.text
            return text[try #require(text.range(of: "\"results\":")).upperBound...]
        }
        let singles = try Service()
        let singlePath = try singles.bar(creation)
        var results: [String] = []
        for event in events {
            let one = try tail(singles.post(singlePath + "/events?results=all", event))
            results.append(String(one.dropFirst().dropLast(2)))
        }
        let expected = "[\(results.joined(separator: ","))]}"
        let batches = try Service()
        let batch = batches.post(try batches.bar(creation) + "/events?results=all", Bodies.batch(events))
        #expect(try tail(batch) == expected)
        let dry = batches.post(
            "/v1/bars/apply",
            creation.dropLast() + ",\"events\":[\(events.joined(separator: ","))]}"
        )
        #expect(try tail(dry) == expected)
    }
}

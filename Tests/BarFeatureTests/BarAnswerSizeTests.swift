import HTTPExchange
import HTTPTypes
import JSON
import Primitives
import ServiceHarness
import TestSupport
import Testing

@testable import BarFeature
@testable import BarLayout

/// Contents with the largest answers.
enum LargeBodies {
    /// The number with the longest text.
    static let number = "-1.2345678901234567e-300"

    /// 128 tracks whose names have 128 characters, each written with two.
    static let tracks = tracks { _ in range }

    /// 128 tracks with long names and a curve each.
    static func tracks(_ curve: (Int) -> String) -> String {
        let members = (0..<128).map { track in
            let name = String(repeating: "\\\"", count: 124) + "\(1000 + track)"
            return "\"\(name)\":\(curve(track))"
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static let range =
        #"{"compactNormalRange":{"range":[\#(number),1]},"normalExpandedRange":{"range":[1,\#(number)]}}"#

    /// A view whose name of 128 characters is written with six each.
    static func scrollable(_ last: Int = 0) -> String {
        let id = String(repeating: "\\u0001", count: 127) + "\(last % 10)"
        return """
            {"id":"\(id)","contentOffset":{"x":\(number),"y":\(number)},"contentSize":{"width":1e-300,"height":1e-300},\
            "frame":{"x":\(number),"y":\(number),"width":1e-300,"height":1e-300},\
            "contentInset":{"top":\(number),"left":\(number),"bottom":\(number),"right":\(number)}}
            """
    }

    static func create(_ more: String) -> String {
        "{\(Bodies.configuration),\"scrollable\":\(scrollable()),\(more)}"
    }

    static func expansions(_ count: Int) -> String {
        (0..<count).map { "{\"type\":\"expand\",\"on\":\($0.isMultiple(of: 2))}" }.joined(separator: ",")
    }
}

@Suite("The size of a bar's answers")
struct BarAnswerSizeTests {
    private static let limit = 8 << 20

    @Test("is at most 8 MiB: an apply with more is refused, with advice")
    func apply() throws {
        let api = try Service()
        func apply(_ events: Int, query: String = "") -> Response {
            let events = LargeBodies.expansions(events)
            return api.post(
                "/v1/bars/apply" + query,
                LargeBodies.create("\"tracks\":\(LargeBodies.tracks),\"events\":[\(events)]")
            )
        }
        let refused = apply(500)
        #expect(refused.status == 422)
        #expect(refused.code == "answer-too-large")
        #expect(refused.pointer == "/events")
        #expect(refused.string("/detail")?.contains("send fewer events") == true)
        let explained = apply(500, query: "?explain=true")
        #expect(explained.string("/errors/0/parameter") == "explain")
        #expect(explained.string("/detail")?.contains("omit `explain`, or send fewer events") == true)

        // The limit is exact: one more event than in the largest answer exceeds it.
        var (given, tooMany) = (1, 500)
        while tooMany - given > 1 {
            let middle = (given + tooMany) / 2
            if apply(middle).status == 200 { given = middle } else { tooMany = middle }
        }
        let largest = apply(given).bytes.count
        #expect(largest <= Self.limit)
        #expect(largest + largest / given * 2 > Self.limit)
    }

    @Test("a batch with larger results is refused before any of its events is applied", .onEveryStore)
    func results() throws {
        let api = try Service()
        let path = try api.bar(Bodies.create("\"tracks\":\(LargeBodies.tracks)"))
        let batch = "{\"events\":[\(LargeBodies.expansions(500))]}"
        let before = api.get(path).text
        let bytes = api.statistics.bytes
        let refused = api.post(path + "/events?results=all", batch)
        #expect(refused.status == 422)
        #expect(refused.code == "answer-too-large")
        #expect(refused.string("/errors/0/parameter") == "results")
        #expect(refused.string("/detail")?.contains("set `results` to `last`") == true)
        #expect(api.get(path).text == before)
        #expect(api.get(path + "/events").count("/events") == 0)
        #expect(api.statistics.bytes == bytes)
        // With fewer results the batch is applied. Its replay with all results is refused again.
        #expect(api.post(path + "/events?results=last", batch).number("/revision") == 500)
        let numbered = (1...500).map { "{\"type\":\"expand\",\"on\":\($0 % 2 == 1),\"sequence\":\($0)}" }
        #expect(api.post(path + "/events?results=all", Bodies.batch(numbered)).code == "answer-too-large")
        #expect(api.post(path + "/events?results=last", Bodies.batch(numbered)).bool("/replayed") == true)
        let explained = api.post(path + "/events?explain=true", Bodies.batch(numbered))
        #expect(explained.code == "answer-too-large" && explained.string("/errors/0/parameter") == "explain")
        #expect(explained.string("/detail")?.contains("omit `explain`") == true)
        #expect(api.get(path).number("/revision") == 500)
    }

    @Test("without results is less than a megabyte", .onEveryStore)
    func withoutResults() throws {
        let api = try Service()
        let created = api.post("/v1/bars", LargeBodies.create("\"tracks\":\(LargeBodies.tracks)"))
        let path = try #require(created.fields[.location])
        // Each `set` has a command with the id of the view.
        let events = (0..<500).map { "{\"type\":\"set\",\"scrollable\":\(LargeBodies.scrollable($0))}" }
        let posted = api.post(path + "/events", Bodies.batch(events))
        #expect(posted.status == 200)
        #expect(posted.count("/commands") == 500)
        let forked = api.post(path + "/fork", "")
        let state = api.get(path + "/states?at=250")
        #expect(state.status == 200)
        for answer in [created, posted, forked, state, api.get(path)] {
            #expect(answer.bytes.count < 1 << 20)
        }
        let id = try #require(BarID(String(path.suffix(32))))
        let session = try api.sessions.store.load(id, now: api.clock.now).waited
        let commands = (0..<501).map { number in
            let spring = SnapSpring(dampingRatio: 0.8, response: 0.3, relativeVelocity: -1.2345678901234567e-300)
            return NumberedCommand(
                sequence: 999_999_500 + number,
                command: BarCommand(
                    scrollableID: session.session.scrollable.id,
                    target: session.session.scrollable.geometry.contentOffset,
                    animated: true,
                    spring: spring
                )
            )
        }
        // The bytes that a stream sends, and holds for a slow client.
        let publication = BarPublication(id, session, commands, withCommands: true)
        #expect(publication.eventWithCommands.count < 1 << 20)
        #expect(publication.event.count < 1 << 17)
    }

    /// The requests for the largest logs: contents of PUT tracks, or batches of events.
    private static let logs: [(name: String, changes: [String], batches: [String], times: Int)] = [
        ("empty changes", ["{}"], [], 18_000),
        ("small changes", [LargeBodies.smallChange], [], 12_000),
        ("removals", [#"{"a":null}"#], [], 18_000),
        ("many tracks", [LargeBodies.tracks], [], 60),
        ("short names", [LargeBodies.shortNames], [], 420),
        ("keyframes", [LargeBodies.keyframes], [], 12),
        ("short numbers with long texts", [LargeBodies.powersOfTwo], [], 80),
        ("events", [], [LargeBodies.sets], 2),
        ("events and changes", [LargeBodies.keyframes], [LargeBodies.sets], 8),
    ]

    @Test("of the log is at most 8 MiB a page", .on(.process, .fakeStore), arguments: logs.indices)
    func log(index: Int) throws {
        let row = Self.logs[index]
        let api = try Service()
        let path = try api.bar()
        for _ in 0..<row.times {
            for batch in row.batches { #expect(api.post(path + "/events?results=none", batch).status == 200) }
            for change in row.changes { #expect(api.put(path + "/tracks", change, [.ifMatch: "*"]).status == 200) }
        }
        let page = api.get(path + "/events?limit=512")
        #expect(page.status == 200)
        #expect(page.bytes.count <= Self.limit, "\(row.name): \(page.bytes.count)")
        // The log was filled.
        if row.batches.isEmpty { #expect(try #require(page.count("/events")) < row.times, "\(row.name)") }
    }
}

extension LargeBodies {
    /// 128 tracks with short names and long numbers: much JSON for each byte of the log.
    static let shortNames: String = {
        let value = "{\"value\":\(number)}"
        let curve = "{\"compactNormalRange\":\(value),\"normalExpandedRange\":\(value)}"
        let members = (0..<128).map { "\"\(String($0, radix: 36))\":\(curve)" }
        return "{\(members.joined(separator: ","))}"
    }()

    /// 40 tracks of 64 keyframes whose numbers have two bytes and 21 digits.
    static let powersOfTwo: String = {
        let points = (0..<64).map { point in
            let number = Double(sign: .plus, exponent: point - 1000, significand: 1)
            return "{\"progress\":\(number),\"value\":-\(number)}"
        }
        let members = (0..<40).map { "\"\($0)\":{\"keyframes\":[\(points.joined(separator: ","))]}" }
        return "{\(members.joined(separator: ","))}"
    }()

    /// A change of a track with a name of one character.
    static let smallChange: String = {
        let range = "{\"range\":[\(number),\(number)]}"
        return "{\"a\":{\"compactNormalRange\":\(range),\"normalExpandedRange\":\(range)}}"
    }()

    /// 128 tracks of 64 keyframes with long numbers.
    static let keyframes: String = {
        let points = (0..<64).map { "{\"progress\":\(Double($0) / 64 + 0.0123456789012345),\"value\":\(number)}" }
        return tracks { _ in "{\"keyframes\":[\(points.joined(separator: ","))]}" }
    }()

    /// 256 events that attach a view with the longest name.
    static let sets = Bodies.batch((0..<256).map { "{\"type\":\"set\",\"scrollable\":\(scrollable($0))}" })
}

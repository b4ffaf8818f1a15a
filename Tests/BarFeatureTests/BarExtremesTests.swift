import BarFeature
import HTTPExchange
import JSON
import TestSupport
import Testing

/// Makes contents of requests from extreme numbers.
private struct ExtremeBodies {
    var random: SeededGenerator

    /// Numbers that some member accepts.
    private static let allowed = [
        "0", "-0", "0.0", "-0e0", "5e-324", "-5e-324", "1e-300", "2.2250738585072014e-308", "-1e-9", "0.1", "1", "2",
        "100", "-200", "-300", "667", "4800.25", "1e9", "-1e9", "999999999.9999999", "-999999999.9999999", "1E9", "5e8",
        "1e-400", "0.9999999999999999", "1.0000000000000002",
    ]

    /// Texts that no member accepts.
    private static let refused = [
        "1000000000.0000001", "-1e10", "1e308", "-1e308", "1e999", "9007199254740993", "9223372036854775807",
        "9223372036854775808", "-9223372036854775809", "18446744073709551616", "\"NaN\"", "\"1\"", "null", "true", "[]",
        "{}", "NaN", "Infinity", "01", "+1", ".5", "1.", "0x10", "\u{221E}",
    ]

    private mutating func one(of choices: [String]) -> String {
        // `!`: no list is empty.
        choices.randomElement(using: &random)!
    }

    private mutating func often() -> Bool { Int.random(in: 0..<400, using: &random) > 0 }

    mutating func number() -> String { often() ? one(of: Self.allowed) : one(of: Self.refused) }

    mutating func length() -> String {
        let number = number()
        return number.hasPrefix("-") && number != "-0" ? String(number.dropFirst()) : number
    }

    mutating func point() -> String { "{\"x\":\(number()),\"y\":\(number())}" }

    mutating func size() -> String { "{\"width\":\(length()),\"height\":\(length())}" }

    mutating func frame() -> String {
        "{\"x\":\(number()),\"y\":\(number()),\"width\":\(length()),\"height\":\(length())}"
    }

    mutating func insets() -> String {
        "{\"top\":\(number()),\"left\":\(number()),\"bottom\":\(number()),\"right\":\(number())}"
    }

    mutating func name() -> String {
        let unit = one(of: ["a", "日", "\\u0000", "\\\"", "🧭", "e\u{301}", "\\ud83d\\ude00"])
        let count = often() ? one(of: ["1", "2", "127", "128"]) : "129"
        return "\"\(String(repeating: unit, count: Int(count) ?? 1))\""
    }

    mutating func view() -> String {
        let name = Int.random(in: 0..<4, using: &random) == 0 ? "\"id\":\(name())," : ""
        return """
            {\(name)"contentOffset":\(point()),"contentSize":\(size()),"frame":\(frame()),"contentInset":\(insets())}
            """
    }

    mutating func event() -> String {
        let state = one(of: ["possible", "began", "changed", "ended", "ended", "ended", "cancelled", "failed"])
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return "{\"type\":\"contentSize\",\"contentSize\":\(size())}"
        case 1: return "{\"type\":\"frame\",\"frame\":\(frame())}"
        case 2: return "{\"type\":\"contentInset\",\"contentInset\":\(insets())}"
        case 3: return "{\"type\":\"expand\",\"on\":\(one(of: ["true", "false"]))}"
        case 4: return "{\"type\":\"set\",\"scrollable\":\(view())}"
        case 5: return "{\"type\":\"preconfigure\",\"scrollable\":\(view())}"
        case 6...7: return "{\"type\":\"panGesture\",\"state\":\"\(state)\",\"velocity\":\(point())}"
        case 8:
            return
                "{\"type\":\"contentOffset\",\"contentOffset\":\(point()),\"timestamp\":\(number()),\"source\":\"animation\"}"
        default: return "{\"type\":\"contentOffset\",\"contentOffset\":\(point())}"
        }
    }

    mutating func events() -> String {
        (0..<Int.random(in: 1...24, using: &random)).map { _ in event() }.joined(separator: ",")
    }

    mutating func tracks() -> String {
        let curves = (0..<Int.random(in: 0...3, using: &random)).map { track in
            let name = String(name().dropFirst().dropLast())
            let range = "{\"range\":[\(number()),\(number())]}"
            let points = ["5e-324", "1", "2"].map { "{\"progress\":\($0),\"value\":\(number())}" }
            let curve =
                Bool.random(using: &random)
                ? "{\"keyframes\":[\(points.joined(separator: ","))]}"
                : "{\"compactNormalRange\":\(range),\"normalExpandedRange\":{\"value\":\(number())}}"
            return "\"\(track)\(name.hasPrefix("\\u0000") ? "" : name)\":\(curve)"
        }
        return "{\(curves.joined(separator: ","))}"
    }

    mutating func create() -> String {
        let heights = (0..<3).map { _ in length() }.sorted { (Double($0) ?? 0) < (Double($1) ?? 0) }
        let rate = one(of: ["\"normal\"", "\"fast\"", "5e-324", "0.9999999999999999", "0.5"])
        let fixes = one(of: [
            "", "\"primeOnAttach\"", "\"overscroll\",\"baseInset\"",
            "\"clearExpandedOnCollapse\",\"contentSizeRatchet\"",
        ])
        let resistance =
            Bool.random(using: &random)
            ? ",\"resistance\":{\"dimension\":\(one(of: ["5e-324", "200", "1e9"])),\"constant\":\(one(of: ["5e-324", "0.55", "1"]))}"
            : ""
        let tolerance = one(of: ["", ",\"tolerance\":5e-324", ",\"tolerance\":1e9", ",\"tolerance\":8"])
        return """
            "configuration":{"compactStateHeight":\(heights[0]),"normalStateHeight":\(heights[1]),\
            "expandedStateHeight":\(heights[2])},"scrollable":\(view()),"tracks":\(tracks()),\
            "feedback":"\(one(of: ["applied", "echoed"]))","options":{"snap":"\(one(of: ["nearest", "projected", "none"]))",\
            "decelerationRate":\(rate),"snapSequential":\(one(of: ["true", "false"])),"snapOnCancel":true,\
            "clampTargets":\(one(of: ["true", "false"])),"fixes":[\(fixes)],\
            "reopen":"\(one(of: ["anywhere", "top"]))"\(tolerance)\(resistance)}
            """
    }
}

@Suite("Bars and extreme numbers", .onEveryStore)
struct BarExtremesTests {
    /// Expects an answer in JSON with finite numbers, or a problem of the client.
    private func check(_ answer: Answer, _ body: String) {
        let isAnswer = 200...201 ~= answer.status || 400...499 ~= answer.status
        #expect(isAnswer, "\(answer.status) to \(body)")
        #expect(answer.value("") != nil, "\(answer.text) to \(body)")
    }

    @Test(
        "have an answer with finite numbers or a refusal, and the same bytes again",
        arguments: 0..<10 as Range<UInt64>
    )
    func extremes(seed: UInt64) throws {
        let api = try BarAPI(seed: seed)
        var bodies = ExtremeBodies(random: SeededGenerator(seed: seed))
        var accepted = 0
        for _ in 0..<150 {
            let (create, events) = (bodies.create(), bodies.events())
            let apply = "{\(create),\"events\":[\(events)]}"
            let tried = api.post("/v1/bars/apply?explain=true", apply)
            check(tried, apply)
            #expect(api.post("/v1/bars/apply?explain=true", apply).textWithoutInstance == tried.textWithoutInstance)
            guard let path = api.post("/v1/bars", "{\(create)}").fields[.location] else { continue }
            let posted = api.post(path + "/events?results=all", "{\"events\":[\(events)]}")
            check(posted, events)
            check(api.put(path + "/tracks", bodies.tracks(), [(.ifMatch, "*")]), create)
            check(api.get(path + "/events"), events)
            guard posted.status == 200 else {
                #expect(api.delete(path).status == 204)
                continue
            }
            accepted += 1
            // The replayed state after the last event is the same.
            let last = try #require(posted.number("/lastSequence"))
            let state = api.get(path + "/states?at=\(Int(last))")
            #expect(state.number("/state/offset") == posted.number("/state/offset"))
            #expect(state.number("/state/transitionProgress") == posted.number("/state/transitionProgress"))
            #expect(api.delete(path).status == 204)
        }
        // Enough requests have to be accepted for the test to be meaningful.
        #expect(accepted > 30)
        #expect(api.statistics.bytes == 0)
    }

    @Test(
        "the snapshot that a bar has is accepted by a creation, at the limits of its numbers, too",
        arguments: [1e12, -1e12]
    )
    func snapshots(limit: Double) throws {
        let api = try BarAPI()
        let point = "{\"x\":\(limit),\"y\":\(limit)}"
        let more =
            #""feedback":"applied","options":{"fixes":["baseInset"],"resistance":{"dimension":1e9,"constant":1}}"#
        func create(_ snapshot: String) -> Answer {
            api.post("/v1/bars", "{\(Bodies.configuration),\"snapshot\":\(snapshot),\(more)}")
        }
        let created = create(
            """
            {"offset":\(limit),"isExpandedStateAvailable":false,"scrollable":{"id":"a","contentOffset":\(point),\
            "contentSize":{"width":0,"height":0},"frame":{"x":0,"y":0,"width":1e9,"height":1e9},\
            "contentInset":{"top":\(limit),"left":0,"bottom":\(limit),"right":0}},"previousContentOffset":\(point),\
            "baseInsetBottom":\(limit)}
            """
        )
        let path = try #require(created.fields[.location], "\(created.text)")
        let events = [
            #"{"type":"contentSize","contentSize":{"width":1,"height":1}}"#, Bodies.offset(-1e9), Bodies.offset(1e9),
            #"{"type":"expand","on":true}"#, Bodies.offset(-1e9),
        ]
        for event in events {
            #expect(api.post(path + "/events", event).status == 200)
            let text = api.get(path).text
            let snapshot = try #require(text.firstMatch(of: #/"snapshot":(\{.*\}),"commands"/#)?.1)
            let copy = create(String(snapshot))
            #expect(copy.status == 201, "\(copy.text)")
            let read = copy.fields[.location].map { api.get($0).text } ?? ""
            #expect(read.contains(snapshot))
        }
    }

    @Test("500 events are accepted; 501 events, deep JSON and long texts have no effect")
    func sizes() throws {
        let api = try BarAPI()
        let path = try api.bar()
        let event = Bodies.offset(1)
        #expect(api.post(path + "/events", Bodies.batch(Array(repeating: event, count: 501))).status == 422)
        #expect(api.post(path + "/events", Bodies.batch([])).status == 422)
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        #expect(api.post(path + "/events", "{\"events\":\(deep)}").status == 400)
        let long = String(repeating: "x", count: 200_000)
        for body in [
            "{\"type\":\"\(long)\"}", "{\"type\":\"expand\",\"on\":true,\"scrollableId\":\"\(long)\"}",
            "{\"type\":\"expand\",\"on\":true,\"\(long)\":1}",
            "{\"type\":\"set\",\"scrollable\":\(Bodies.scrollable(long))}",
            "{\"type\":\"expand\",\"on\":true,\"sequence\":1e9999}",
            "{\"type\":\"expand\",\"on\":true,\"sequence\":9223372036854775807}",
            "{\"type\":\"expand\",\"type\":\"expand\",\"on\":true}",
        ] {
            let answer = api.post(path + "/events", body)
            #expect(400...422 ~= answer.status, "\(body.prefix(80))")
            #expect(answer.bytes.count < 2 << 20)
        }
        #expect(api.put(path + "/tracks", "{\"\(long)\":null}", [(.ifMatch, "*")]).status == 422)
        #expect(api.get(path + "/states?at=99999999999999999999").status == 422)
        #expect(api.get(path + "?tracks=" + Array(repeating: "a", count: 129).joined(separator: ",")).status == 422)
        #expect(api.get(path).number("/revision") == 0)
        #expect(
            api.post(path + "/events", Bodies.batch(Array(repeating: event, count: 500))).number("/revision") == 500
        )
    }
}

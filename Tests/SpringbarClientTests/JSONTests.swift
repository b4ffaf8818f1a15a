import BarLayout
import TestSupport
import Testing

@testable import ClientJSON
@testable import SpringbarClient

@Suite("JSON of the client")
struct JSONTests {
    @Test(
        "Documents are read and written",
        arguments: [
            ("null", "null"), (" [ ] ", "[]"), ("{}", "{}"), ("[1, -0, 2.50, 1e3]", "[1,0,2.5,1000]"),
            (#"{"a":{"b":[true,false]}}"#, #"{"a":{"b":[true,false]}}"#),
            (#""\u00e9\n\"\\\/\uD83D\uDE00""#, "\"é\\u000a\\\"\\\\/😀\""), ("0.1", "0.1"), ("1e-7", "1e-07"),
            ("\"e\u{301}\"", "\"e\u{301}\""),
        ]
    )
    func good(text: String, written: String) throws {
        #expect(try JSONReader.document(Array(text.utf8)).text == written)
    }

    @Test(
        "A text that is not JSON is refused",
        arguments: [
            "", "[", "[1,]", "{\"a\"}", "{\"a\":1,}", "nul", "1 2", "\"", "\"\\x\"", "\"\\ud800\"", "1e999", "+", "--1",
            "\"\u{1}\"", String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
        ]
    )
    func bad(text: String) {
        #expect(throws: JSONReader.Failure.self) { try JSONReader.document(Array(text.utf8)) }
    }

    @Test("A definition has only the options that differ from the defaults")
    func options() throws {
        var definition = try BarDefinition.feed()
        func written() throws -> JSONDocument? {
            try JSONReader.document(Array(definition.json.text.utf8))["options"]
        }
        #expect(try written() == nil)
        definition.options.snapOnCancel = true
        #expect(try written()?.text == #"{"snapOnCancel":true}"#)
        definition.options = BarOptions(
            snap: .projected(.fast),
            snapSequential: true,
            clampTargets: true,
            reopen: .top,
            tolerance: try Tolerance(points: 8),
            resistance: try Resistance(dimension: 300),
            fixes: [.overscroll]
        )
        #expect(
            try written()?.text
                == #"{"snap":"projected","decelerationRate":0.99,"snapSequential":true,"clampTargets":true,"#
                + #""reopen":"top","tolerance":8,"resistance":{"dimension":300,"constant":0.55},"fixes":["overscroll"]}"#
        )
    }

    @Test("Events and numbers keep every bit")
    func events() throws {
        for seed in 1...200 as ClosedRange<UInt64> {
            var source = RandomBar(seed: seed)
            for number in 1...10 {
                var bar = BarMachine(try .feed(), random: SeededGenerator(seed: seed))
                _ = try? bar.show(try source.event(), now: Double(seed) / 7)
                guard let event = bar.queue.pending.first?.event else { continue }
                let text = event.json(sequence: number).text
                let document = try JSONReader.document(Array(text.utf8))
                #expect(try BarEvent(document) == event)
                #expect(document["sequence"]?.integer == number)
            }
        }
    }

    @Test(
        "a number of events or changes is whole, not negative, and exact in JSON",
        arguments: [-1, 0.5, 9.1e15, 1e300]
    )
    func counts(number: Double) throws {
        #expect(JSONDocument.number(number).integer == nil)
        #expect(JSONDocument.number(9_007_199_254_740_992).integer == 1 << 53)
    }
}

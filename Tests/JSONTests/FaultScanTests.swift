import TestSupport
import Testing

@testable import JSON

/// The scan that finds the place of a fault, against simdjson, which finds the fault.
@Suite("Fault scan")
struct FaultScanTests {
    @Test("Nothing is found in a good document", arguments: GoodDocuments.all)
    func good(_ sample: Sample) {
        #expect(FaultScan.firstFault(in: sample.bytes) == nil)
    }

    @Test("A place is found in every document that is no JSON", arguments: BadDocuments.all)
    func bad(_ sample: Sample) {
        let isJSON = BadDocuments.limits.contains { $0.bytes == sample.bytes } && sample.bytes.last != UInt8(ascii: "[")
        let place = FaultScan.firstFault(in: sample.bytes)?.offset
        if sample.why.contains("100 000") {
            #expect(place == sample.bytes.count)
        } else {
            #expect((place == nil) == isJSON)
        }
    }

    @Test(
        "The place is the number of bytes that were right",
        arguments: [
            ("", 0), (" ", 1), ("x", 0), ("[1,]", 3), ("[1 2]", 3), (#"{"a" 1}"#, 5), (#"{"a":1"#, 6), ("[1]]", 3),
            ("nul", 3), ("nulx", 3), ("truex", 4), ("01", 1), ("-", 1), ("-x", 1), ("1.", 2), ("1.e", 2), ("1e+", 3),
            ("[1e999]", 1), ("[18446744073709551616]", 1), (#"["\x"]"#, 3), (#"["\u00g0"]"#, 6), (#"["\ud834"]"#, 2),
            (#"["\udd1e"]"#, 2), (#"["\ud834\u0041"]"#, 2), ("[\"\n\"]", 2), ("\"é\u{1}", 3), ("{,}", 1), ("[}", 1),
            ("{\"a\":]", 5), ("[1}", 2),
        ]
    )
    func place(_ text: String, _ place: Int) {
        #expect(FaultScan.firstFault(in: Array(text.utf8))?.offset == place)
    }

    @Test("The place of a wrong byte is found")
    func encoding() {
        #expect(FaultScan.firstFault(in: [0x22, 0xC3, 0xA9, 0xC3, 0x22])?.offset == 3)
        #expect(FaultScan.firstFault(in: [0x22, 0xED, 0xA0, 0x80, 0x22])?.offset == 1)
        #expect(FaultScan.firstFault(in: [0xEF, 0xBB, 0xBF, 0x5B, 0x5D])?.offset == 0)
    }

    @Test("it finds a fault in exactly the documents that simdjson refuses", arguments: 101...120)
    func agreement(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let parser = Parser()
        defer { parser.destroy() }
        for _ in 0..<1000 {
            var document = RandomDocument.make(from: &generator)
            for _ in 0...Int.random(in: 0..<3, using: &generator) { Mutation.apply(to: &document, from: &generator) }
            var isJSON = false
            if case .success = parser.parse(document) { isJSON = true }
            let place = FaultScan.firstFault(in: document)?.offset
            #expect(
                (place == nil) == isJSON,
                "\(String(decoding: document, as: UTF8.self)) \(String(describing: place))"
            )
        }
    }
}

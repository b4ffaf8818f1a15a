import JSON
import Testing

@Suite("Documents")
struct DocumentTests {
    @Test("a valid document is parsed, and written in canonical form", arguments: GoodDocuments.all)
    func good(_ sample: Sample) throws {
        let text = String(decoding: try rewritten(sample.bytes), as: UTF8.self)
        #expect(text == sample.canonical)
        // Strings are equal up to normalisation, so the bytes are compared.
        #expect(Array(text.utf8) == Array(sample.canonical.utf8))
    }

    @Test("a bad document is refused as malformed", arguments: BadDocuments.all)
    func bad(_ sample: Sample) {
        let error = #expect(throws: JSONError.self) { try JSON.parse(sample.bytes) }
        #expect(error?.isMalformed == true)
        #expect(error?.detail.isEmpty == false)
    }

    @Test(
        "a document that is truncated anywhere is refused, or is another valid document",
        arguments: GoodDocuments.all
    )
    func truncated(_ sample: Sample) throws {
        // Only a single number and white space at the end can be shortened.
        guard sample.bytes.count < 500 else { return }
        for length in 0..<sample.bytes.count {
            guard let value = try? JSON.parse(Array(sample.bytes[..<length])) else { continue }
            let isSpace = sample.bytes[length...].allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
            #expect(value.kind == .number || isSpace)
        }
    }

    @Test(
        "an error has the fault, and the pointer of a member",
        arguments: [
            (#"{"a":[{"x":1,"\u0078":2}]}"#, "/a/0/x", "is repeated"),
            (#"{"a/b":{"m~n":1,"m~n":1}}"#, "/a~1b/m~0n", "is repeated"),
            ("", "", "is empty: must be one JSON value"),
            ("  ", "", "is empty: must be one JSON value"),
            (GoodDocuments.nest("[", 65, "", "]"), "", "must not have more than 64 levels"),
            (GoodDocuments.nest("[", 65, "0", "]"), "", "must not have more than 64 levels"),
            ("[1,]", "", "is not JSON: line 1, column 4 (byte 4): must be another value after the comma, was `]`"),
        ]
    )
    func message(_ text: String, _ pointer: String, _ detail: String) {
        #expect(throws: JSONError(pointer: pointer, detail: detail, isMalformed: true)) {
            try JSON.parse(Array(text.utf8))
        }
    }
}

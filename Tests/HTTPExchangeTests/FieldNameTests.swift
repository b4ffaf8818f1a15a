import HTTPExchange
import HTTPTypes
import Testing

@Suite struct FieldNameTests {
    @Test("every name is found by its text, in any case", arguments: FieldName.allCases)
    func known(_ name: FieldName) {
        let text = name.rawValue
        for spelled in [text, text.lowercased(), text.uppercased()] { #expect(FieldName(spelled) == name) }
    }

    /// The case of some field names follows no rule.
    @Test(
        "names are written as in their specifications",
        arguments: [
            (FieldName.eTag, HTTPField.Name.eTag), (.wwwAuthenticate, .wwwAuthenticate),
            (.contentType, .contentType), (.cacheControl, .cacheControl), (.location, .location), (.vary, .vary),
            (.accessControlAllowOrigin, .accessControlAllowOrigin), (.retryAfter, .retryAfter), (.allow, .allow),
            (.traceparent, .traceparent), (.tracestate, .tracestate), (.acceptRanges, .acceptRanges),
            (.xContentTypeOptions, .xContentTypeOptions), (.contentRange, .contentRange), (.age, .age),
        ] as [(FieldName, HTTPField.Name)]
    )
    func spelling(name: FieldName, standard: HTTPField.Name) {
        #expect(name.rawValue == standard.rawName)
    }

    @Test("the case of a name is its text without hyphens", arguments: FieldName.allCases)
    func cases(_ known: FieldName) {
        let letters = known.rawValue.filter { $0 != "-" }.lowercased()
        #expect("\(known)".lowercased() == letters)
    }

    @Test("another name is not found", arguments: ["X-Springbar", "a", "X-" + String(repeating: "y", count: 200)])
    func unknown(text: String) {
        #expect(FieldName(text) == nil)
        #expect(isToken(text))
    }

    private func isToken(_ text: String) -> Bool {
        Array(text.utf8).withUnsafeBufferPointer(FieldName.isToken)
    }

    @Test(
        "a text that is not a token has no name, even if it resembles a known one",
        arguments: [
            "", "Host ", " Host", "Ho st", "Host\t", "Content\rType", "Content\u{D}Type", "(", "a:b", "H\u{F6}st",
        ]
    )
    func noToken(text: String) {
        #expect(FieldName(text) == nil)
        #expect(!isToken(text))
    }

    @Test(
        "a name with any byte replaced is another text, which is a token or not",
        arguments: ["Host", "Via", "If-Range"]
    )
    func everyByte(text: String) {
        for position in 0..<text.utf8.count {
            for byte in UInt8.min...UInt8.max {
                var bytes = Array(text.utf8)
                bytes[position] = byte
                let found = bytes.withUnsafeBufferPointer(FieldName.init(bytes:))
                let isSame = String(decoding: bytes, as: UTF8.self).lowercased() == text.lowercased()
                #expect(found == (isSame ? FieldName(text) : nil), "\(bytes)")
                let token = HTTPField.Name(String(decoding: bytes, as: UTF8.self))
                #expect(bytes.withUnsafeBufferPointer(FieldName.isToken) == (token != nil), "\(bytes)")
            }
        }
    }
}

import HTTPExchange
import HTTPTypes
import Testing

@Suite struct FieldNameTests {
    @Test("every known name is found by its text, in any case", arguments: FieldName.Known.allCases)
    func known(_ known: FieldName.Known) throws {
        let text = known.rawValue
        for spelled in [text, text.lowercased(), text.uppercased()] {
            let name = try #require(FieldName(spelled))
            #expect(name == .known(known))
            #expect(name.text == text)
            #expect(name.canonicalText == HTTPField.Name(text)?.canonicalName)
        }
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
        #expect(name.text == standard.rawName)
    }

    @Test("names that swift-http-types does not have are written as in their specifications")
    func ownSpelling() {
        let names: [FieldName] = [.link, .cacheStatus, .idempotencyKey, .lastEventID, .xRequestID, .xForwardedFor]
        let texts = ["Link", "Cache-Status", "Idempotency-Key", "Last-Event-ID", "X-Request-Id", "X-Forwarded-For"]
        #expect(names.map(\.text) == texts)
        let page: [FieldName] = [.referrerPolicy, .permissionsPolicy, .crossOriginOpenerPolicy]
        #expect(page.map(\.text) == ["Referrer-Policy", "Permissions-Policy", "Cross-Origin-Opener-Policy"])
        let photos: [FieldName] = [.xTotal, .xPerPage, .xRateLimitLimit, .xRateLimitRemaining]
        #expect(photos.map(\.text) == ["X-Total", "X-Per-Page", "X-Ratelimit-Limit", "X-Ratelimit-Remaining"])
    }

    @Test("no two known names have the same text")
    func distinct() {
        let texts = Set(FieldName.Known.allCases.map { $0.rawValue.lowercased() })
        #expect(texts.count == FieldName.Known.allCases.count)
    }

    @Test("the case of a known name is its text without hyphens", arguments: FieldName.Known.allCases)
    func cases(_ known: FieldName.Known) {
        let letters = known.rawValue.filter { $0 != "-" }.lowercased()
        #expect("\(known)".lowercased() == letters)
    }

    @Test("an unknown name is created", arguments: ["X-Springbar", "a", "X-" + String(repeating: "y", count: 200)])
    func unknown(text: String) {
        let name = FieldName(text)
        #expect(name?.text == text)
        #expect(name?.canonicalText == text.lowercased())
        #expect(name == FieldName(text.uppercased()))
        #expect(Set([name, FieldName(text.uppercased()), .host]).count == 2)
        #expect(name != FieldName(text + "z"))
    }

    @Test(
        "a text that is not a token has no name, even if it resembles a known one",
        arguments: [
            "", "Host ", " Host", "Ho st", "Host\t", "Content\rType", "Content\u{D}Type", "(", "a:b", "H\u{F6}st",
        ]
    )
    func noToken(text: String) {
        #expect(FieldName(text) == nil)
    }

    @Test(
        "a known name with any byte replaced gives the name of the new text",
        arguments: ["Host", "DNT", "If-Range"]
    )
    func everyByte(text: String) {
        for position in 0..<text.utf8.count {
            for byte in UInt8.min...UInt8.max {
                var bytes = Array(text.utf8)
                bytes[position] = byte
                let found = bytes.withUnsafeBufferPointer(FieldName.init(bytes:))
                let expected = HTTPField.Name(String(decoding: bytes, as: UTF8.self))
                #expect(found?.canonicalText == expected?.canonicalName, "\(bytes)")
            }
        }
    }
}

import HTTPExchange
import HTTPTypes
import Testing

@Suite
struct AcceptTests {
    private func best(_ values: [String], of offers: [MediaType]) -> String? {
        Accept(values).best(of: offers)?.essence
    }

    @Test(
        "the offer with the highest weight is selected, the first one of equals (RFC 9110, section 12.5.1)",
        arguments: [
            ("application/json", "application/json"), ("text/css", "text/css"), ("text/*", "text/css"),
            ("*/*", "application/json"), ("text/css;q=0.9, application/json;q=0.8", "text/css"),
            ("text/css;q=0.8, application/json;q=0.8", "application/json"),
            // The most specific range determines the weight, not the range with the highest weight.
            ("application/json;q=0.1, */*;q=0.5", "text/css"), ("text/css;q=0, */*", "application/json"),
            ("application/json;q=0, text/css;q=0", nil), ("*/*;q=0", nil), ("image/png", nil), ("TEXT/CSS", "text/css"),
            ("text/css ; q=0.5", "text/css"), ("application/json;q=0.001, text/css;q=0.002", "text/css"),
            // A range with a parameter that the offer does not have does not match it.
            ("application/json;version=2, text/css;q=0.1", "text/css"), ("application/json;version=2", nil),
            // A parameter after q does not belong to the type: it is accept-ext of RFC 7231, which RFC 9110 removed.
            ("application/json;q=0.9;level=1", "application/json"),
            // A charset of UTF-8 excludes nothing, because all texts have it.
            ("application/json; charset=utf-8", "application/json"), ("text/css;charset=UTF-8", "text/css"),
            ("text/css; Charset=\"Utf-8\"", "text/css"), ("text/*;charset=utf-8", "text/css"),
            ("text/css;charset=utf-8;q=0.5, application/json;q=0.9", "application/json"),
            // The range with the parameter is the most specific one.
            ("application/json;charset=utf-8;q=0.1, application/json, text/css;q=0.5", "text/css"),
            ("application/json;charset=utf-8;version=2", nil), ("application/json;charset=iso-8859-1", nil),
            ("application/json;version=utf-8", nil),
            // Malformed ranges are ignored, and without any range all types are accepted.
            ("garbage", "application/json"), ("", "application/json"), (",,", "application/json"),
            ("text", "application/json"), ("*/css", "application/json"), ("text/css;q=2", "application/json"),
            ("text/css;q=0.1234", "application/json"), ("text/css;q=.5", "application/json"),
            ("text/css;q=1.001", "application/json"), ("text/css;q=x", "application/json"),
            ("text/css;q=0.5.1", "application/json"), ("text/css;q=\"0.5", "application/json"),
            ("garbage, text/css", "text/css"), ("text/css;=x, text/css;q=0.5", "text/css"),
            ("\"a,b\", text/css", "text/css"),
        ] as [(String, String?)]
    )
    func weights(value: String, expected: String?) {
        #expect(best([value], of: [.json, .css]) == expected)
    }

    @Test(
        "a type that is named in full has its weight; an excluded type or a wildcard has none",
        arguments: [
            ("image/avif", 1000), ("image/avif;q=0", 0), ("image/avif;q=0.0, */*", 0), ("image/avif;q=0.3", 300),
            ("image/*", 0), ("*/*", 0), ("", 0), ("IMAGE/AVIF;q=0.5, image/*", 500), ("image/avifs", 0),
        ]
    )
    func named(value: String, weight: Int) {
        #expect(Accept([value]).weight(named: .avif) == weight)
    }

    @Test(
        "an offer of image/* has the weight of the best type that is named, or of the wildcard if that is larger",
        arguments: [
            ("image/avif, image/*;q=0.1", 1000), ("image/avif;q=0.1, image/*", 1000),
            ("image/avif;q=0, image/*;q=0.5", 500),
            ("image/avif;q=0.2, image/png;q=0.3", 300), ("image/avif;q=0.2, */*;q=0.1", 200), ("text/css", 0),
        ]
    )
    func family(value: String, weight: Int) throws {
        #expect(Accept([value]).weight(of: try #require(MediaType("image/*"))) == weight)
    }

    @Test(
        "gzip is accepted with any weight above 0",
        arguments: [
            ("gzip", true), ("br, gzip;q=0.5", true), ("GZIP", true), ("x-gzip", true), ("gzip;q=0.001", true),
            ("gzip;q=0", false), ("gzip; q=0.000", false), ("gzip;q=0.5.1", false), ("br", false), ("identity", false),
        ]
    )
    func gzip(value: String, isAccepted: Bool) {
        #expect(request(.get, "/", [.acceptEncoding: value]).acceptsGzip == isAccepted)
    }

    @Test("a long list is read up to its 64th range")
    func bounded() {
        let padding = Array(repeating: "a/b", count: 63)
        #expect(best(padding + ["text/css"], of: [.json, .css]) == "text/css")
        #expect(best(padding + ["a/b", "text/css"], of: [.json, .css]) == nil)
    }

    @Test(
        "a media type is read with its parameters",
        arguments: [
            ("text/html", "text/html"), ("Text/HTML; Charset=UTF-8", "text/html; charset=UTF-8"),
            ("a/b;c=\"d \\\"e\\\"\"", "a/b; c=d \"e\""), ("a/b;", "a/b"), (" a/b ", "a/b"),
            ("image/svg+xml", "image/svg+xml"),
            ("a", nil), ("a/", nil), ("/b", nil), ("a/b c", nil), ("a/b;c", nil), ("a/b;c=", nil), ("a/b/c", nil),
            ("a/b;c=\"d", nil), ("a b/c", nil),
        ] as [(String, String?)]
    )
    func mediaType(text: String, expected: String?) {
        #expect(MediaType(text)?.description == expected)
    }
}

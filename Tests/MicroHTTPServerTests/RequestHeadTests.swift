import HTTPExchange
import HTTPTypes
import Testing

@testable import MicroHTTPServer

@Suite struct RequestHeadTests {
    /// A head, the reason for which it is refused, and the source of the rule.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var fields: [(String, String)] = [("host", "a")]
        var target = "/"
        var isHTTP10 = false
        let refusal: Refusal?

        init(
            _ name: String,
            _ refusal: Refusal?,
            fields: [(String, String)] = [("host", "a")],
            target: String = "/",
            isHTTP10: Bool = false
        ) {
            testDescription = name
            self.refusal = refusal
            self.fields = fields
            self.target = target
            self.isHTTP10 = isHTTP10
        }
    }

    private static let host = ("host", "a")

    static let framing = [
        Case("a length", nil, fields: [host, ("content-length", "5")]),
        Case("chunks", nil, fields: [host, ("transfer-encoding", "chunked")]),
        Case("chunks in capitals (RFC 9112, 7)", nil, fields: [host, ("transfer-encoding", "Chunked")]),
        Case(
            "length, then coding (RFC 9112, 6.3)",
            .lengthAndTransferEncoding,
            fields: [host, ("content-length", "5"), ("transfer-encoding", "chunked")]
        ),
        Case(
            "coding, then length (RFC 9112, 6.3)",
            .lengthAndTransferEncoding,
            fields: [host, ("transfer-encoding", "chunked"), ("content-length", "5")]
        ),
        Case(
            "two lengths (RFC 9110, 8.6)",
            .repeatedLength,
            fields: [host, ("content-length", "5"), ("content-length", "6")]
        ),
        Case(
            "two equal lengths (RFC 9110, 8.6)",
            .repeatedLength,
            fields: [host, ("content-length", "5"), ("content-length", "5")]
        ),
        Case("a list of lengths (RFC 9110, 8.6)", .repeatedLength, fields: [host, ("content-length", "5, 5")]),
        Case(
            "gzip, chunked (RFC 9112, 6.1)",
            .unknownTransferCoding,
            fields: [host, ("transfer-encoding", "gzip, chunked")]
        ),
        Case(
            "identity, which HTTP/1.1 took out (RFC 9112, 7)",
            .unknownTransferCoding,
            fields: [host, ("transfer-encoding", "identity")]
        ),
        Case(
            "chunked twice (RFC 9112, 6.1)",
            .unknownTransferCoding,
            fields: [host, ("transfer-encoding", "chunked"), ("transfer-encoding", "chunked")]
        ),
        Case("chunked with a parameter", .unknownTransferCoding, fields: [host, ("transfer-encoding", "chunked;a=b")]),
        Case("an empty coding", .unknownTransferCoding, fields: [host, ("transfer-encoding", "")]),
        Case(
            "a coding in HTTP/1.0 (RFC 9112, 6.1)",
            .unknownTransferCoding,
            fields: [("transfer-encoding", "chunked")],
            isHTTP10: true
        ),
        Case("content at the limit", nil, fields: [host, ("content-length", "100")]),
        Case(
            "content above the limit (RFC 9110, 15.5.14)",
            .contentTooLarge(limit: 100),
            fields: [host, ("content-length", "101")]
        ),
    ]

    static let hosts = [
        Case("no Host (RFC 9112, 3.2)", .missingHost, fields: []),
        Case("no Host in HTTP/1.0", nil, fields: [], isHTTP10: true),
        Case("two Hosts (RFC 9112, 3.2)", .repeatedHost, fields: [host, ("host", "b")]),
        Case("two Hosts in HTTP/1.0", .repeatedHost, fields: [host, host], isHTTP10: true),
        Case("a malformed Host in HTTP/1.0", .malformedHost, fields: [("host", "a/b")], isHTTP10: true),
    ]

    static let targets = [
        Case("every character of a path (RFC 3986, 3.3)", nil, target: "/aZ09-._~!$&'()*+,;=:@/%41"),
        Case("what browsers send in a query as it is", nil, target: "/a?b=c&d=%20'()[]\\^`{|}~/?:@"),
        Case("a fragment (RFC 9112, 3.2)", .malformedTarget, target: "/a#b"),
        Case("a fragment behind a query", .malformedTarget, target: "/a?b#c"),
        Case("a quotation mark", .malformedTarget, target: "/a?b=\""),
        Case("an angle bracket", .malformedTarget, target: "/a?b=>"),
        Case("the other one", .malformedTarget, target: "/<a"),
        Case("a backslash in the path", .malformedTarget, target: "/a\\b"),
        Case("a brace in the path", .malformedTarget, target: "/{a}"),
        Case("a square bracket in the path", .malformedTarget, target: "/[a]"),
        Case("bytes above ASCII", .malformedTarget, target: "/ä"),
        Case("bytes above ASCII in the query", .malformedTarget, target: "/?a=ä"),
        Case("an absolute target (RFC 9112, 3.2.2)", nil, target: "http://a:80/b?c"),
        Case("an absolute target without a path", nil, target: "HTTPS://[::1]?c"),
        Case("an absolute target without a host", .malformedHost, target: "http:///a"),
        Case("an absolute target with a user (RFC 9110, 4.2.4)", .malformedHost, target: "http://a@b/"),
        Case("an absolute target with a port that is no number", .malformedHost, target: "http://a:b/"),
        Case("an absolute target of another scheme", .malformedTarget, target: "ftp://a/"),
        Case("no form at all", .malformedTarget, target: "a/b"),
        Case("a query alone", .malformedTarget, target: "?a"),
        Case("no slash in front", .malformedTarget, target: "a"),
        Case("an encoded space", nil, target: "/a%20b"),
        Case("an encoded slash and percent sign", nil, target: "/a%2Fb%25"),
        Case("an encoded line feed in the query: data", nil, target: "/?a=%0A%00"),
        Case("a percent sign at the end", nil, target: "/a%"),
        Case("half an encoding at the end", nil, target: "/a%0"),
        Case("%00", .controlInTarget, target: "/a%00b"),
        Case("%1f", .controlInTarget, target: "/a%1f"),
        Case("%1F", .controlInTarget, target: "/a%1F"),
        Case("%7f", .controlInTarget, target: "/%7f"),
        Case("%7F", .controlInTarget, target: "/%7F"),
        Case("%0d%0a in an absolute target", .controlInTarget, target: "http://a/%0d%0a"),
        Case("a space (RFC 9112, 3)", .controlInTarget, target: "/a b"),
        Case("a tab", .controlInTarget, target: "/a\tb"),
        Case("a DEL in the query", .controlInTarget, target: "/?a=\u{7F}"),
        Case("a CR", .controlInTarget, target: "/a\rb"),
    ]

    static let fields = [
        Case("a tab in a value (RFC 9110, 5.5)", nil, fields: [host, ("x-a", "a\tb")]),
        Case("obs-text in a value (RFC 9110, 5.5)", nil, fields: [host, ("x-a", "\u{FC}")]),
        Case("an empty value", nil, fields: [host, ("x-a", "")]),
        Case("a CR in a value (RFC 9110, 5.5)", .controlInField("x-a"), fields: [host, ("x-a", "a\rb")]),
        Case("an escape in a value", .controlInField("x-a"), fields: [host, ("x-a", "\u{1B}[2J")]),
        Case("a DEL in a value", .controlInField("x-a"), fields: [host, ("x-a", "a\u{7F}")]),
    ]

    /// Returns the reason for which a GET of a target is refused.
    private func refusal(of target: String) -> Refusal? {
        ReceivedTarget(target).target.refusal(for: .get)
    }

    @Test("a host and port is for CONNECT (RFC 9112, 3.2.3), and the router handles an asterisk")
    func forms() {
        #expect(ReceivedTarget("*").target.refusal(for: .options) == nil)
        #expect(ReceivedTarget("*").target.refusal(for: .get) == nil)
        #expect(ReceivedTarget("a:443").target.refusal(for: .connect) == nil)
        #expect(ReceivedTarget("a:443").target.refusal(for: .get) == .malformedTarget)
        #expect(ReceivedTarget("/").target.refusal(for: .connect) == nil)
    }

    @Test("only the absolute form of a target has a host")
    func authority() {
        #expect(ReceivedTarget("http://a:80/b?c").target.authority == "a:80")
        #expect(ReceivedTarget("HTTP://[::1]?c").target.authority == "[::1]")
        #expect(ReceivedTarget("/http://a/").target.authority == nil)
        #expect(ReceivedTarget("a:443").target.authority == nil)
    }

    @Test("each byte is allowed or refused in paths and queries as in RFC 3986 and browsers")
    func everyByte() {
        let path = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/%".utf8)
        let query = path.union("?[]\\^`{|}".utf8)
        for byte in UInt8(1)...255 {
            for (prefix, allowed) in [("/", path.union("?".utf8)), ("/?", query)] {
                let text = (Array(prefix.utf8) + [byte, 0]).map { CChar(bitPattern: $0) }
                let received = ReceivedTarget(text)
                let refusal = received.target.refusal(for: .get)
                let isControl = byte <= 0x20 || byte == 0x7F
                let expected: Refusal? = allowed.contains(byte) ? nil : isControl ? .controlInTarget : .malformedTarget
                #expect(refusal == expected, "\(prefix) \(byte)")
                #expect(received.isPlain == (expected == nil))
            }
        }
    }

    @Test("every head is accepted or refused by its rule", arguments: framing + hosts + targets + fields)
    func head(_ testCase: Case) {
        var head = RequestHead()
        for (text, value) in testCase.fields {
            Array(value.utf8).withUnsafeBufferPointer { value in
                Array(text.utf8).withUnsafeBufferPointer { head.check(value, of: $0) }
                if let name = FieldName(text) { head.add(name, value: value) }
            }
        }
        if let refusal = refusal(of: testCase.target) { head.add(refusal) }
        let refusal = head.refusal(isHTTP10: testCase.isHTTP10, contentLimit: 100)
        #expect(refusal == testCase.refusal)
    }

    @Test("only encoded control characters are refused in a path, with digits in either case")
    func everyEncodedByte() {
        for byte in 0...255 {
            let isControl = byte < 0x20 || byte == 0x7F
            let digits = String(byte, radix: 16)
            let encoded = "%" + (digits.count == 1 ? "0" + digits : digits)
            #expect((refusal(of: "/a\(encoded)b") == .controlInTarget) == isControl, "\(encoded)")
            #expect((refusal(of: "/a\(encoded.uppercased())b") == .controlInTarget) == isControl, "\(encoded)")
        }
    }

    @Test("the first of two faults is reported")
    func twoFaults() {
        var head = RequestHead()
        head.add(.malformedFieldName)
        head.add(.controlInTarget)
        head.add(.controlInField("x-a"))
        #expect(head.refusal(isHTTP10: false, contentLimit: 0) == .malformedFieldName)
    }

    @Test(
        "a declared length is read, and one above the largest integer is too large",
        arguments: [
            ("42", 42), ("0", 0), ("9223372036854775807", Int.max), ("9223372036854775808", .max),
            ("18446744073709551615", .max), ("99999999999999999999", .max), ("+4", nil), ("-1", nil), ("x", nil),
            ("", nil),
        ] as [(String, Int?)]
    )
    func length(text: String, length: Int?) {
        var head = RequestHead()
        Array(text.utf8).withUnsafeBufferPointer { head.add(.contentLength, value: $0) }
        #expect(head.contentLength == length)
    }
}

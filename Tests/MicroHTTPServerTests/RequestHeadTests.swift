import HTTPExchange
import HTTPTypes
import Testing

@testable import MicroHTTPServer

@Suite struct RequestHeadTests {
    /// Returns the reason for which a head is refused; `fields` has one in each line.
    private func refusal(of fields: String, isHTTP10: Bool = false) -> Refusal? {
        var head = RequestHead()
        for line in fields.split(separator: "\n") {
            let parts = line.split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
            Array(parts[1].utf8).withUnsafeBufferPointer { value in
                Array(parts[0].utf8).withUnsafeBufferPointer { head.check(value, of: $0) }
                if let name = FieldName(String(parts[0])) { head.add(name, value: value) }
            }
        }
        return head.refusal(isHTTP10: isHTTP10, contentLimit: 100)
    }

    @Test(
        "every head is accepted or refused by its rule",
        arguments: [
            ("content-length: 5", nil), ("transfer-encoding: chunked", nil), ("transfer-encoding: Chunked", nil),
            // RFC 9112, section 6.3.
            ("content-length: 5\ntransfer-encoding: chunked", .lengthAndTransferEncoding),
            ("transfer-encoding: chunked\ncontent-length: 5", .lengthAndTransferEncoding),
            // RFC 9110, section 8.6.
            ("content-length: 5\ncontent-length: 6", .repeatedLength),
            ("content-length: 5\ncontent-length: 5", .repeatedLength), ("content-length: 5, 5", .repeatedLength),
            // RFC 9112, sections 6.1 and 7: HTTP/1.1 has no `identity`.
            ("transfer-encoding: gzip, chunked", .unknownTransferCoding),
            ("transfer-encoding: identity", .unknownTransferCoding),
            ("transfer-encoding: chunked\ntransfer-encoding: chunked", .unknownTransferCoding),
            ("transfer-encoding: chunked;a=b", .unknownTransferCoding), ("transfer-encoding: ", .unknownTransferCoding),
            // RFC 9110, section 15.5.14.
            ("content-length: 100", nil), ("content-length: 101", .contentTooLarge(limit: 100)),
            // RFC 9110, section 5.5.
            ("x-a: a\tb", nil), ("x-a: \u{FC}", nil), ("x-a: ", nil), ("x-a: a\rb", .controlInField("x-a")),
            ("x-a: \u{1B}[2J", .controlInField("x-a")), ("x-a: a\u{7F}", .controlInField("x-a")),
        ] as [(String, Refusal?)]
    )
    func head(fields: String, expected: Refusal?) {
        #expect(refusal(of: "host: a\n" + fields) == expected)
    }

    @Test(
        "a request has one Host, or none in HTTP/1.0 (RFC 9112, 3.2), which has no transfer coding (6.1)",
        arguments: [
            ("", false, .missingHost), ("", true, nil), ("host: a\nhost: b", false, .repeatedHost),
            ("host: a\nhost: a", true, .repeatedHost), ("host: a/b", true, .malformedHost),
            ("transfer-encoding: chunked", true, .unknownTransferCoding),
        ] as [(String, Bool, Refusal?)]
    )
    func host(fields: String, isHTTP10: Bool, expected: Refusal?) {
        #expect(refusal(of: fields, isHTTP10: isHTTP10) == expected)
    }

    @Test(
        "a target has a form of RFC 9112, 3.2",
        arguments: [
            ("http://a:80/b?c", nil), ("HTTPS://[::1]?c", nil), ("http:///a", .malformedHost),
            // RFC 9110, section 4.2.4.
            ("http://a@b/", .malformedHost), ("http://a:b/", .malformedHost), ("ftp://a/", .malformedTarget),
            ("a/b", .malformedTarget), ("?a", .malformedTarget), ("a", .malformedTarget),
            // An encoded control is data in a query only.
            ("/?a=%0A%00", nil), ("http://a/%0d%0a", .controlInTarget), ("/a%", nil), ("/a%0", nil),
        ] as [(String, Refusal?)]
    )
    func target(target: String, expected: Refusal?) {
        #expect(refusal(ofTarget: target) == expected)
    }

    /// Returns the reason for which a GET of a target is refused.
    private func refusal(ofTarget target: String) -> Refusal? {
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

    @Test("only encoded control characters are refused in a path, with digits in either case")
    func everyEncodedByte() {
        for byte in 0...255 {
            let isControl = byte < 0x20 || byte == 0x7F
            let digits = String(byte, radix: 16)
            let encoded = "%" + (digits.count == 1 ? "0" + digits : digits)
            #expect((refusal(ofTarget: "/a\(encoded)b") == .controlInTarget) == isControl, "\(encoded)")
            #expect((refusal(ofTarget: "/a\(encoded.uppercased())b") == .controlInTarget) == isControl, "\(encoded)")
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

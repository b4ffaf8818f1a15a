import Glibc
import HTTPExchange
import HTTPTypes

/// The target of a request line, copied from the library's buffer and validated.
///
/// Most requests of a connection repeat the target of the previous one. So a connection keeps its last target. A repeated
/// one is only compared: it is not copied, validated or routed again.
struct ReceivedTarget: Sendable {
    let target: Target
    /// Whether the target is an allowed path with or without a query, as nearly every one is.
    let isPlain: Bool

    /// The longest target that a connection keeps, in bytes.
    ///
    /// A kept target and its route use memory as long as the connection is open: thousands of idle clients must not hold
    /// 30 kB each. The paths of this service have fewer than a hundred bytes.
    static let keptLength = 256

    /// Copies and validates a text that ends with a zero byte.
    init(_ text: UnsafePointer<CChar>) {
        target = Target(String(cString: text))
        isPlain = target.isPath && target.refusal == nil
    }

    /// Returns whether these bytes are the same target.
    func isSpelled(by text: UnsafePointer<CChar>, count: Int) -> Bool {
        // A target with repaired UTF-8 differs from the received bytes, so it is never the same.
        target.raw.utf8.span.withUnsafeBufferPointer { raw in
            guard raw.count == count, let start = raw.baseAddress else { return false }
            return memcmp(start, text, count) == 0
        }
    }
}

/// The grammar of request targets (RFC 9112, section 3.2; RFC 3986, sections 3.3 and 3.4).
///
/// A path has only the characters of RFC 3986. A query may also have `[ ] \ ^ { | }` and the backtick, which browsers
/// send unencoded (WHATWG URL Standard, "query percent-encode set"). All other characters are refused with 400, as RFC
/// 9112, section 3.2, asks for: `#`, quotation marks, angle brackets, spaces, controls and bytes above 0x7E. Every
/// browser percent-encodes them. In a link, a log line or another request they would have a meaning.
extension Target {
    /// Returns the refusal of a request with the target; nil for an allowed one.
    ///
    /// A host and port is for CONNECT alone.
    func refusal(for method: HTTPRequest.Method) -> Refusal? {
        refusal ?? (isPath || authority != nil || method == .connect ? nil : .malformedTarget)
    }

    /// Whether the target is a path with an optional query, or `*`, which only OPTIONS serves.
    fileprivate var isPath: Bool { raw.utf8.first == UInt8(ascii: "/") || raw == "*" }

    /// The refusal of the target for any method; nil for an allowed one.
    fileprivate var refusal: Refusal? {
        let authority = authority
        if let authority, !authority.utf8.span.withUnsafeBufferPointer(Authority.isWellFormed) { return .malformedHost }
        return raw.utf8.span.withUnsafeBufferPointer { bytes in
            if !isPath, authority == nil {
                if Authority.isWellFormed(bytes) { return nil }
                return bytes.contains(where: Target.isControlOrSpace) ? .controlInTarget : .malformedTarget
            }
            let start = authority.map { raw.utf8.distance(from: raw.startIndex, to: $0.endIndex) } ?? 0
            if let position = Target.firstInvalid(in: bytes, from: start) {
                return Target.isControlOrSpace(bytes[position]) ? .controlInTarget : .malformedTarget
            }
            let hasEncoding = bytes.contains(UInt8(ascii: "%"))
            return hasEncoding && Target.hasEncodedControl(inPathOf: bytes) ? .controlInTarget : nil
        }
    }

    private static func firstInvalid(in target: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var position = start
        while position < target.count, target[position] != UInt8(ascii: "?") {
            guard isPath(target[position]) else { return position }
            position += 1
        }
        while position < target.count {
            guard isQuery(target[position]) else { return position }
            position += 1
        }
        return nil
    }

    /// A `pchar` or a slash.
    private static func isPath(_ byte: UInt8) -> Bool {
        Authority.isName(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@")
    }

    private static func isQuery(_ byte: UInt8) -> Bool {
        if isPath(byte) { return true }
        switch byte {
        case UInt8(ascii: "?"), UInt8(ascii: "["), UInt8(ascii: "\\"), UInt8(ascii: "]"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            return true
        default: return false
        }
    }

    private static func isControlOrSpace(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F
    }

    /// Whether the path has an encoded control.
    ///
    /// `%00` to `%1F` and `%7F` have no meaning in a path of this service, and a decoded `%00` ends a C string. `Query`
    /// refuses them with the name of their parameter.
    private static func hasEncodedControl(inPathOf target: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in target.indices {
            if target[index] == UInt8(ascii: "?") { return false }
            guard target[index] == UInt8(ascii: "%"), index + 2 < target.count else { continue }
            switch (target[index + 1], target[index + 2] | 0x20) {
            case (UInt8(ascii: "0"), _), (UInt8(ascii: "1"), _), (UInt8(ascii: "7"), UInt8(ascii: "f")): return true
            default: break
            }
        }
        return false
    }
}

/// The form of a Host field: `uri-host [ ":" port ]` (RFC 9110, section 7.2; RFC 3986, section 3.2.2).
package enum Authority {
    /// Returns whether these bytes are a host with or without a port.
    ///
    /// An empty host is refused (RFC 9110, section 4.2.1).
    package static func isWellFormed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        var index = 0
        if first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), end > 1 else { return false }
            guard bytes[1..<end].allSatisfy(isLiteral) else { return false }
            index = end + 1
        } else {
            while index < bytes.count, bytes[index] != UInt8(ascii: ":") {
                guard isName(bytes[index]) else { return false }
                index += 1
            }
            guard index > 0 else { return false }
        }
        guard index < bytes.count else { return true }
        guard bytes[index] == UInt8(ascii: ":") else { return false }
        return bytes[(index + 1)...].allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }

    /// A byte of a registered name: unreserved, a sub-delimiter, or part of a percent encoding.
    static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        // The sub-delimiters from `$` to `,` have `%`, and `-` and `.` follow them.
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "$")...UInt8(ascii: "."), UInt8(ascii: "!"),
            UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// A byte of an IP literal in brackets.
    private static func isLiteral(_ byte: UInt8) -> Bool {
        isName(byte) && byte != UInt8(ascii: "%") || byte == UInt8(ascii: ":")
    }
}

import HTTPExchange
import HTTPTypes

/// Decides from the head of a request whether the request is refused.
///
/// libmicrohttpd 0.9.75 accepts requests for which two servers in a row can find different ends (request smuggling): with
/// a Content-Length beside a Transfer-Encoding, with several lengths, or with unknown codings. These are refused before
/// any content is read, and so are bytes that could break a log line, a C string or a route. The type is pure: the fields
/// are added one by one, then `refusal` returns the decision.
struct RequestHead {
    private var hostCount = 0
    private var lengthCount = 0
    private var codingCount = 0
    private var isLengthList = false
    private var areCodingsChunked = true
    private var isHostWellFormed = true
    /// The first fault of a single field or of the target.
    private var fault: Refusal?
    /// The declared length of the content in bytes; nil if none was declared.
    private(set) var contentLength: Int?

    /// Whether the content comes in chunks.
    var isChunked: Bool { codingCount > 0 }

    /// Adds the fault of a target that has a control character or ended at one.
    mutating func addControlInTarget() {
        fault = fault ?? .controlInTarget
    }

    /// Adds the refusal of the target.
    mutating func addTargetFault(_ refusal: Refusal) {
        fault = fault ?? refusal
    }

    /// Adds the fault of a field with a control character beside its value.
    mutating func addControl(in name: String) {
        fault = fault ?? .controlInField(name)
    }

    /// Adds the fault of a field name that is not a token.
    ///
    /// Another server may read it as a known name, such as `Host ` with a space before the colon (RFC 9112, section 5.1).
    mutating func addMalformedName() {
        fault = fault ?? .malformedFieldName
    }

    /// Adds a field; `value` has no white space around it.
    mutating func add(_ name: FieldName, value: UnsafeBufferPointer<UInt8>) {
        // RFC 9110, section 5.5: CR, LF and NUL are dangerous, other controls invalid; obs-text is allowed.
        if value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            addControl(in: name.canonicalText)
        }
        switch name {
        case .known(.host):
            hostCount += 1
            isHostWellFormed = isHostWellFormed && Authority.isWellFormed(value)
        case .known(.contentLength):
            lengthCount += 1
            isLengthList = isLengthList || value.contains(UInt8(ascii: ","))
            contentLength = RequestHead.length(value)
        case .known(.transferEncoding):
            codingCount += 1
            areCodingsChunked = areCodingsChunked && String(decoding: value, as: UTF8.self).lowercased() == "chunked"
        default:
            break
        }
    }

    /// Returns a declared length; `.max` for more digits than an integer holds, nil for other text.
    private static func length(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
        guard !value.isEmpty else { return nil }
        var length = 0
        for byte in value {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            let digit = Int(byte - UInt8(ascii: "0"))
            length = length > (.max - digit) / 10 ? .max : length * 10 + digit
        }
        return length
    }

    /// Returns the refusal of the request; nil for an allowed one.
    ///
    /// HTTP/1.0 needs no Host and has no transfer coding; more than `contentLimit` bytes of content are refused.
    func refusal(isHTTP10: Bool, contentLimit: Int) -> Refusal? {
        if let fault { return fault }

        // RFC 9112, section 6.3: a length beside a coding "ought to be handled as an error".
        if codingCount > 0 && lengthCount > 0 { return .lengthAndTransferEncoding }
        // RFC 9110, section 8.6: two lengths, or a list of them, are an unrecoverable error even when they are equal.
        if lengthCount > 1 || isLengthList { return .repeatedLength }
        // RFC 9112, section 6.1: a coding in HTTP/1.0 is faulty framing; one that is not understood is not read.
        if codingCount > 1 || codingCount > 0 && (!areCodingsChunked || isHTTP10) { return .unknownTransferCoding }

        // RFC 9112, section 3.2: exactly one well-formed Host in HTTP/1.1.
        if hostCount == 0 && !isHTTP10 { return .missingHost }
        if hostCount > 1 { return .repeatedHost }
        if !isHostWellFormed { return .malformedHost }

        if let contentLength, contentLength > contentLimit { return .contentTooLarge(limit: contentLimit) }
        return nil
    }
}

/// The methods that clients send, which are created once.
enum Methods {
    private struct Entry {
        let text: StaticString
        let method: HTTPRequest.Method
    }

    /// The usual ones first.
    private static let known = [
        Entry(text: "GET", method: .get), Entry(text: "POST", method: .post), Entry(text: "HEAD", method: .head),
        Entry(text: "PUT", method: .put), Entry(text: "DELETE", method: .delete),
        Entry(text: "PATCH", method: .patch), Entry(text: "OPTIONS", method: .options),
    ]

    /// The method in place of one that is not a token (RFC 9110, section 9.1); no route has it.
    private static let malformed = HTTPRequest.Method("MALFORMED") ?? .trace

    /// Returns the method with this name; names are case-sensitive.
    static func method(of text: UnsafePointer<CChar>) -> HTTPRequest.Method {
        let bytes = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
        for entry in known where spells(bytes, entry.text) { return entry.method }
        return HTTPRequest.Method(String(cString: text)) ?? malformed
    }

    /// Returns whether bytes that end with a zero are this text.
    ///
    /// The comparison ends at the first that differs, so it never reads behind the zero.
    private static func spells(_ bytes: UnsafePointer<UInt8>, _ text: StaticString) -> Bool {
        for position in 0..<text.utf8CodeUnitCount where bytes[position] != text.utf8Start[position] { return false }
        return bytes[text.utf8CodeUnitCount] == 0
    }
}

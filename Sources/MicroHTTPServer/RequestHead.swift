import CMicroHTTPD
import Glibc
import HTTPExchange
import HTTPTypes
import Primitives

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

    /// Adds a fault of the target or of a field; the first one is the refusal.
    mutating func add(_ fault: Refusal) {
        self.fault = self.fault ?? fault
    }

    /// Adds the fault of a control character in a value (RFC 9110, section 5.5).
    ///
    /// CR, LF and NUL are dangerous, and other controls are invalid; obs-text is allowed.
    mutating func check(_ value: UnsafeBufferPointer<UInt8>, of name: UnsafeBufferPointer<UInt8>) {
        if value.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) {
            add(.controlInField(String(decoding: name, as: UTF8.self).lowercased()))
        }
    }

    /// Adds a field with a checked value, which has no white space around it.
    mutating func add(_ name: FieldName, value: UnsafeBufferPointer<UInt8>) {
        switch name {
        case .host:
            hostCount += 1
            isHostWellFormed = isHostWellFormed && Authority.isWellFormed(value)
        case .contentLength:
            lengthCount += 1
            isLengthList = isLengthList || value.contains(UInt8(ascii: ","))
            contentLength = RequestHead.length(value)
        case .transferEncoding:
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

extension HTTPRequest.Method {
    /// Creates the method with this name; one that is not a token becomes a method that no route has (RFC 9110, section 9.1).
    init(received text: UnsafePointer<CChar>) {
        self = HTTPRequest.Method(String(cString: text)) ?? HTTPRequest.Method("MALFORMED") ?? .trace
    }

    /// Returns whether a text is the name of the method; names are case-sensitive.
    func isSpelled(by text: UnsafePointer<CChar>) -> Bool {
        rawValue.withCString { strcmp($0, text) } == 0
    }
}

/// Copies the fields of a request from the library, and adds each to the `RequestHead`.
///
/// The library hides three faults. A value ends at its first zero byte. A folded line (obsolete: RFC 9112, section 5.2)
/// is added to the name of the field. A line without a name, `: x`, ends the head: 0.9.75 replaces the colon by a zero,
/// takes a line that begins with a zero for the empty line, and reads the rest as the next request, which makes request
/// smuggling possible.
///
/// All three leave a gap. The names and values are addresses in the library's buffer, in which the lines follow each
/// other. From the end of a value to the next name there is only a line end, of one byte or two; any other distance
/// means that something was left out.
struct FieldReader {
    var fields = Fields()
    var head = RequestHead()
    /// The address of the end of the last line, without its line end, in the library's buffer; it is only compared.
    private var lastEnd: UInt
    /// The name of the last field, in the library's buffer.
    private var lastName: UnsafeBufferPointer<UInt8>?
    private(set) var size = HeadSize()

    /// Creates a reader for a head; its request line ends with `version`.
    init(after version: UnsafePointer<CChar>) {
        lastEnd = UInt(bitPattern: version) &+ UInt(strlen(version))
    }

    /// Reads all fields, in the order received; the head begins at `method`.
    ///
    /// Trailers are another kind and are not read.
    mutating func read(from connection: ConnectionHandle, method: UnsafePointer<CChar>) {
        size.line = Int(bitPattern: lastEnd &- UInt(bitPattern: method)) + 2
        size.whole = microhttpd_head_size(connection.pointer)
        _ = withUnsafeMutablePointer(to: &self) { reader in
            MHD_get_connection_values_n(
                connection.pointer,
                MHD_ValueKind.HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    guard let context, let name else { return .NO }
                    // The pointer is `reader`, which outlives the call.
                    let reader = context.assumingMemoryBound(to: FieldReader.self)
                    reader.pointee.take(
                        UnsafeRawBufferPointer(start: name, count: nameSize),
                        UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)
                    )
                    return .YES
                },
                reader
            )
        }
        checkEnd(of: UnsafeRawBufferPointer(start: method, count: size.whole))
    }

    private mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        // The field of `microhttpd_skip_cookies`.
        if let end = value.baseAddress, end == name.baseAddress.map({ $0 + name.count }) { return }
        size.fields += 1
        let gap = UInt(bitPattern: name.baseAddress) &- lastEnd
        if gap < 1 || gap > 2 { addControlInLast() }
        lastEnd = UInt(bitPattern: value.baseAddress) &+ UInt(value.count)

        // The library's strings are `char`, and a `char` may be read as any byte.
        let name = name.assumingMemoryBound(to: UInt8.self)
        // White space around a value is not part of it (RFC 9112, section 5.1); the library removes only that before it.
        let untrimmed = value.assumingMemoryBound(to: UInt8.self)
        var count = untrimmed.count
        while count > 0, untrimmed[count - 1] == 0x20 || untrimmed[count - 1] == 0x09 { count -= 1 }
        let value = UnsafeBufferPointer(start: untrimmed.baseAddress, count: count)
        let knownName = FieldName(bytes: name)
        guard knownName != nil || FieldName.isToken(name) else {
            // Another server may read it as a known name, such as `Host ` with a space before the colon (RFC 9112, section
            // 5.1).
            head.add(.malformedFieldName)
            return
        }
        lastName = name
        head.check(value, of: name)
        guard let knownName else {
            if FieldReader.isCookie(name) { size.cookies += name.count + value.count + 4 }
            return
        }
        // The coding is judged as the library reads it, with the space behind it: for `chunked ` it would wait for the
        // end of the connection.
        head.add(knownName, value: knownName == .transferEncoding ? untrimmed : value)
        if !knownName.isFraming { fields.append(knownName, Self.text(of: value)) }
    }

    /// Returns whether a name is that of a cookie, in any case.
    private static func isCookie(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        name.count == 6 && name.elementsEqual("cookie".utf8) { $0 | 0x20 == $1 }
    }

    /// The media type of nearly all content that the service receives.
    private static let usualMediaType: StaticString = "application/json"

    /// Returns a value as text.
    ///
    /// A string of more than 15 bytes has memory of its own; the usual media type uses the memory of the literal, which saves
    /// a POST of one event 800 of 46,000 instructions (callgrind, without the library's clearing of its buffer).
    private static func text(of value: UnsafeBufferPointer<UInt8>) -> String {
        if value.count == usualMediaType.utf8CodeUnitCount, let start = value.baseAddress,
            memcmp(start, usualMediaType.utf8Start, value.count) == 0
        {
            return "application/json"
        }
        return String(decoding: value, as: UTF8.self)
    }

    /// Adds a control to the value that was read last; before the first there is only the request line.
    private mutating func addControlInLast() {
        head.add(.controlInField(lastName.map { String(decoding: $0, as: UTF8.self).lowercased() } ?? "host"))
    }

    /// Checks that nothing but two line ends stands between the last value and the end of the head.
    private mutating func checkEnd(of bytes: UnsafeRawBufferPointer) {
        let start = UInt(bitPattern: bytes.baseAddress)
        let gap = start &+ UInt(bytes.count) &- lastEnd
        guard gap > 4 else { return }
        // Line ends are zeros by now. Two zeros are the end of the value's line, and what follows has no name; one is
        // a zero in the value. An end outside of the head is that of a value which the library has moved.
        let offset = Int(bitPattern: lastEnd &- start)
        if bytes.indices.contains(offset + 1), bytes[offset] == 0, bytes[offset + 1] == 0 {
            head.add(.malformedFieldName)
        } else {
            addControlInLast()
        }
    }
}

import CMicroHTTPD
import Glibc
import HTTPExchange
import Primitives

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
    private(set) var fields = Fields(capacity: 8)
    private(set) var head = RequestHead()
    /// The address of the end of the last line, without its line end, in the library's buffer; it is only compared.
    private var lastEnd: UInt
    private var lastName: FieldName?

    /// Creates a reader for a head; its request line ends with `version`.
    init(after version: UnsafePointer<CChar>) {
        lastEnd = UInt(bitPattern: version) &+ UInt(strlen(version))
    }

    /// Reads all fields, in the order received; the head begins at `method`.
    ///
    /// Trailers are another kind and are not read.
    mutating func read(from connection: ConnectionHandle, method: UnsafePointer<CChar>) {
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
        checkEnd(of: UnsafeRawBufferPointer(start: method, count: microhttpd_head_size(connection.pointer)))
    }

    /// Adds the fault of a target that ended at a zero byte.
    mutating func addControlInTarget() {
        head.addControlInTarget()
    }

    /// Adds the refusal of the target.
    mutating func addTargetFault(_ refusal: Refusal) {
        head.addTargetFault(refusal)
    }

    /// Replaces the field Host by the host of an absolute target (RFC 9112, section 3.2.2).
    mutating func replaceHost(with authority: String) {
        fields[.host] = authority
    }

    private mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        let gap = UInt(bitPattern: name.baseAddress) &- lastEnd
        if gap < 1 || gap > 2 { addControlInLast() }
        lastEnd = UInt(bitPattern: value.baseAddress) &+ UInt(value.count)

        // The library's strings are `char`, and a `char` may be read as any byte.
        let name = name.assumingMemoryBound(to: UInt8.self)
        // White space around a value is not part of it (RFC 9112, section 5.1); the library removes only what is before it.
        let untrimmed = value.assumingMemoryBound(to: UInt8.self)
        let value = UnsafeBufferPointer(rebasing: untrimmed.trimmingBlanks())
        guard let fieldName = FieldName(bytes: name) else {
            head.addMalformedName()
            return
        }
        lastName = fieldName
        // The coding is judged as the library reads it, with the space behind it: for `chunked ` it would wait for the
        // end of the connection.
        head.add(fieldName, value: fieldName == .transferEncoding ? untrimmed : value)
        fields.append(fieldName, String(decoding: value, as: UTF8.self))
    }

    /// Adds a control to the value that was read last; before the first there is only the request line.
    private mutating func addControlInLast() {
        head.addControl(in: lastName?.canonicalText ?? "host")
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
            head.addMalformedName()
        } else {
            addControlInLast()
        }
    }
}

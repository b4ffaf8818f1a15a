import CMicroHTTPD
import HTTPExchange
import HTTPTypes

/// Takes over a request's fields from the library, once, and has each of them checked on the way.
struct FieldReader {
    private(set) var fields = Fields()
    private(set) var head = RequestHead()

    /// Reads all fields, in the order received.
    ///
    /// Trailers are another kind and are not read.
    mutating func read(from connection: ConnectionHandle) {
        fields.reserveCapacity(8)
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
    }

    private mutating func take(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        // The library's strings are `char`, and a `char` may be read as any byte.
        let name = name.assumingMemoryBound(to: UInt8.self)
        let value = Self.trimmed(value.assumingMemoryBound(to: UInt8.self))
        guard let fieldName = FieldNames.name(of: name) else {
            head.addMalformedName()
            return
        }
        head.add(fieldName.canonicalName, value: value)
        fields.append(fieldName, String(decoding: value, as: UTF8.self))
    }

    /// The value without the white space around it, which is not part of it (RFC 9112, section 5.1).
    ///
    /// The library takes away only what stands in front.
    private static func trimmed(_ value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var slice = value[...]
        while let last = slice.last, last == 0x20 || last == 0x09 { slice.removeLast() }
        while let first = slice.first, first == 0x20 || first == 0x09 { slice.removeFirst() }
        return UnsafeBufferPointer(rebasing: slice)
    }
}

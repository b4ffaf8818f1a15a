import HTTPExchange

/// The bytes of an answer, at one address for all who are sent them.
final class SharedAnswer: SharedBytes {
    let buffer: UnsafeRawBufferPointer

    init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        copy.copyBytes(from: bytes)
        buffer = UnsafeRawBufferPointer(copy)
    }

    deinit {
        buffer.deallocate()
    }
}

// The bytes are written before the object exists and never again.
extension SharedAnswer: @unchecked Sendable {}

extension Response {
    /// An answer that follows from its target alone, for ever for this version of the service.
    ///
    /// Thirty days: long enough that nobody asks twice, short enough that a new release, which may know one convention
    /// more, is seen without a new URL.
    static func computed(_ bytes: [UInt8], type: String = "application/json") -> Response {
        Response(
            fields: [
                .contentType: type,
                .eTag: EntityTag(hashing: bytes).description,
                .cacheControl: "public, max-age=2592000",
            ],
            content: .shared(SharedAnswer(bytes), 0..<bytes.count)
        )
    }
}

import CZlib
import HTTPExchange

/// Compresses with gzip (RFC 1952) through zlib, for files that are compressed once and sent often.
enum Gzip {
    /// Returns `bytes` in the gzip format, at zlib's default level: 2 % larger than the best, in half the time.
    static func compressed(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var stream = z_stream()
        // zlib keeps a pointer to the stream structure, so its address must stay the same between the calls.
        return withUnsafeMutablePointer(to: &stream) { stream in
            // Adding 16 to the window selects gzip's frame.
            let window: Int32 = 15 + 16
            let size = Int32(MemoryLayout<z_stream>.size)
            let status = deflateInit2_(
                stream,
                Z_DEFAULT_COMPRESSION,
                Z_DEFLATED,
                window,
                9,
                Z_DEFAULT_STRATEGY,
                ZLIB_VERSION,
                size
            )
            // The parameters are constants, and the version is that of the header.
            precondition(status == Z_OK, "deflateInit2: \(status)")
            defer { deflateEnd(stream) }
            return all(of: bytes, through: stream)
        }
    }

    private static func all(of bytes: UnsafeRawBufferPointer, through stream: z_streamp) -> [UInt8] {
        let bound = Int(deflateBound(stream, UInt(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            // zlib does not write to next_in; its C type lacks the const.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(bytes.count)
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(bound)
            let end = deflate(stream, Z_FINISH)
            precondition(end == Z_STREAM_END, "deflateBound is an upper bound")
            count = bound - Int(stream.pointee.avail_out)
        }
    }
}

extension Request {
    /// True if the client accepts gzip with a weight above 0 (RFC 9110, section 12.5.3).
    var acceptsGzip: Bool {
        fields.values(of: .acceptEncoding).flatMap { $0.split(separator: ",") }.contains { element in
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard parts.first == "gzip" || parts.first == "x-gzip" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=") && !$0.contains { "1"..."9" ~= $0 } }
        }
    }
}

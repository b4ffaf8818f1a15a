import CZlib
import HTTPExchange

/// gzip (RFC 1952) through zlib, for what is compressed once and sent often.
enum Gzip {
    /// `bytes` in the gzip format, as small as zlib can make it.
    static func compressed(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var stream = z_stream()
        // zlib keeps a pointer back to the stream structure, so its address must not change between the calls.
        return withUnsafeMutablePointer(to: &stream) { stream in
            // 16 above the window asks for gzip's frame instead of zlib's own.
            let window: Int32 = 15 + 16
            let size = Int32(MemoryLayout<z_stream>.size)
            let status = deflateInit2_(
                stream,
                Z_BEST_COMPRESSION,
                Z_DEFLATED,
                window,
                9,
                Z_DEFAULT_STRATEGY,
                ZLIB_VERSION,
                size
            )
            // The parameters are constants of ours, and the version is that of the header this was built with.
            precondition(status == Z_OK, "deflateInit2: \(status)")
            defer { deflateEnd(stream) }
            return all(of: bytes, through: stream)
        }
    }

    private static func all(of bytes: UnsafeRawBufferPointer, through stream: z_streamp) -> [UInt8] {
        let bound = Int(deflateBound(stream, UInt(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            // zlib reads from next_in and never writes to it; the C type just lacks the const.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(bytes.count)
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(bound)
            let end = deflate(stream, Z_FINISH)
            precondition(end == Z_STREAM_END, "zlib's own bound is enough")
            count = bound - Int(stream.pointee.avail_out)
        }
    }
}

extension Request {
    /// Whether the client reads gzip: it says so, and does not say that it would rather not (RFC 9110, section 12.5.3).
    var acceptsGzip: Bool {
        fields.values(of: .acceptEncoding).flatMap { $0.split(separator: ",") }.contains { element in
            let parts = element.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard parts.first == "gzip" || parts.first == "x-gzip" else { return false }
            return !parts.dropFirst().contains { $0.hasPrefix("q=") && !$0.contains { "1"..."9" ~= $0 } }
        }
    }
}

import CZlib

/// A deflate stream of zlib (RFC 1950) that grows an array.
final class Deflater {
    /// What stands around the compressed data.
    enum Frame: Int32 {
        case zlib = 15
        /// Nothing: zlib's way of asking for a raw stream is a negative window.
        case raw = -15
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private var output: [UInt8] = []

    init(level: Int32, frame: Frame = .zlib) {
        // zlib keeps a pointer back to the stream structure, so it must not move: it lives on the heap.
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        // Memory level 9: a hash table twice the default's, measurably faster on rows that repeat.
        let status = deflateInit2_(
            stream,
            level,
            Z_DEFLATED,
            frame.rawValue,
            9,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            size
        )
        // The parameters are constants of ours, and the version is that of the header this was built with.
        precondition(status == Z_OK, "deflateInit2: \(status)")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses `bytes`.
    func append(_ bytes: [UInt8]) {
        run(bytes, Z_NO_FLUSH)
    }

    /// Compresses `bytes`, ends the block at a byte with no reference across it, and gives back everything so far.
    func flush(_ bytes: [UInt8]) -> [UInt8] {
        run(bytes, Z_FULL_FLUSH)
        return output
    }

    /// Ends the stream and gives it back, whole.
    func finish() -> [UInt8] {
        run([], Z_FINISH)
        return output
    }

    private func run(_ bytes: [UInt8], _ flush: Int32) {
        bytes.withUnsafeBufferPointer { input in
            // zlib reads from next_in and never writes to it; the C type just lacks the const.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                let room = 32_768
                let start = output.count
                output.append(contentsOf: repeatElement(0, count: room))
                output.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_out = output.baseAddress! + start
                    stream.pointee.avail_out = UInt32(room)
                    deflate(stream, flush)
                }
                output.removeLast(Int(stream.pointee.avail_out))
                // Room left over means that there was nothing more to write.
            } while stream.pointee.avail_out == 0
        }
    }
}

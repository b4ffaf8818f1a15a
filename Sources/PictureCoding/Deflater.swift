import CZlib

/// A deflate stream of zlib (RFC 1951) that grows an array.
package final class Deflater {
    /// The format around the compressed data, as zlib's `windowBits`.
    package enum Format: Int32 {
        /// RFC 1950.
        case zlib = 15
        /// RFC 1952.
        case gzip = 31
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private var output: [UInt8] = []

    /// Begins a stream; `level` is zlib's, `0` (stored) to `9` (smallest).
    package init(level: Int32, format: Format = .zlib) {
        // zlib keeps a pointer back to the stream structure, so it must not move: it is on the heap.
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream,
            level,
            Z_DEFLATED,
            format.rawValue,
            // The hash table: the smallest if nothing is searched, else the largest, which is faster on rows that repeat.
            level == 0 ? 1 : 9,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        // The parameters are constants, and the version is that of the header this was built with.
        precondition(status == Z_OK, "deflateInit2: \(status)")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    package func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { run($0, Z_NO_FLUSH) } }

    /// Compresses `bytes`, ends the stream and returns all of it.
    package func finish(_ bytes: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)) -> [UInt8] {
        run(bytes, Z_FINISH)
        return output
    }

    private func run(_ bytes: UnsafeRawBufferPointer, _ flush: Int32) {
        // zlib reads from next_in and never writes to it; the C type lacks the const.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(bytes.count)
        repeat {
            let space = 32_768
            let start = output.count
            output.append(contentsOf: repeatElement(0, count: space))
            output.withUnsafeMutableBufferPointer { output in
                // The array has at least `space` bytes, so it has an address.
                stream.pointee.next_out = output.baseAddress! + start
                stream.pointee.avail_out = UInt32(space)
                deflate(stream, flush)
            }
            output.removeLast(Int(stream.pointee.avail_out))
            // Unused space means that zlib has no more output.
        } while stream.pointee.avail_out == 0
    }
}

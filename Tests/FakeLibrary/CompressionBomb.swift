import CZlib
import PictureCoding

/// Content that is small on the wire and huge when it is expanded.
///
/// Each bomb is well-formed to its last checksum, so that only a limit can stop it. It repeats one compressed mebibyte:
/// deflate's full flush leaves no reference to earlier blocks.
enum CompressionBomb {
    private static let blockSize = 1 << 20

    /// A gibibyte in the gzip format (RFC 1952): `first`, then the filler, then `last`.
    static func gzip(first: [UInt8], filler: UInt8, last: [UInt8]) -> RepeatedContent {
        let repeats = 1024
        let block = [UInt8](repeating: filler, count: blockSize)
        var checksum = crc32(0, first, UInt32(first.count))
        let blockChecksum = crc32(0, block, UInt32(block.count))
        for _ in 0..<repeats { checksum = crc32_combine(checksum, blockChecksum, block.count) }
        checksum = crc32_combine(checksum, crc32(0, last, UInt32(last.count)), last.count)
        let size = first.count + repeats * block.count + last.count
        // Magic number, deflate, no flags, no time, no hints, Unix.
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        return RepeatedContent(
            prefix: header + flushed(first),
            block: flushed(block),
            repeats: repeats,
            suffix: finished(last) + littleEndian(UInt32(checksum)) + littleEndian(UInt32(truncatingIfNeeded: size))
        )
    }

    /// A black picture of `side` × `side` pixels, each mebibyte of it in a chunk of its own.
    static func pixels(side: Int) -> RepeatedContent {
        let total = side * (3 * side + 1)
        let repeats = total / blockSize
        let rest = total - repeats * blockSize
        var prefix = PNG.header(width: side, height: side)
        // The two bytes of a zlib stream's header: deflate, 32 KiB window, fastest.
        PNG.append("IDAT", [0x78, 0x01], to: &prefix)
        var block: [UInt8] = []
        PNG.append("IDAT", flushed([UInt8](repeating: 0, count: blockSize)), to: &block)
        // Adler-32 of zeros (RFC 1950): the first sum stays 1, the second counts the bytes.
        let adler = UInt32(total % 65_521) << 16 | 1
        var suffix: [UInt8] = []
        let end = finished([UInt8](repeating: 0, count: rest)) + littleEndian(adler.byteSwapped)
        PNG.append("IDAT", end, to: &suffix)
        PNG.append("IEND", [], to: &suffix)
        return RepeatedContent(prefix: prefix, block: block, repeats: repeats, suffix: suffix)
    }

    private static func finished(_ bytes: [UInt8]) -> [UInt8] { flushed(bytes, Z_FINISH) }

    /// Returns deflate blocks that end at a byte and refer to nothing before them.
    private static func flushed(_ bytes: [UInt8], _ flush: Int32 = Z_FULL_FLUSH) -> [UInt8] {
        var (stream, input) = (z_stream(), bytes)
        // A negative number of bits: without a header.
        deflateInit2_(&stream, 9, Z_DEFLATED, -15, 9, 0, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))) + 16)
        input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                deflate(&stream, flush)
            }
        }
        return Array(output.dropLast(Int(stream.avail_out)))
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
}

/// Content that is not in memory as a whole: a prefix, a block any number of times, a suffix.
struct RepeatedContent: Sendable, Equatable {
    var prefix: [UInt8] = []
    var block: [UInt8] = []
    /// The number of blocks; nil for endless content.
    var repeats: Int? = 0
    var suffix: [UInt8] = []

    /// The number of bytes; nil for endless content.
    var count: Int? { repeats.map { prefix.count + block.count * $0 + suffix.count } }

    /// Copies bytes from `offset` on, as many as fit into `buffer`, and returns their number.
    func copy(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var copied = 0
        while copied < buffer.count, let part = part(at: offset + copied) {
            let size = min(part.count, buffer.count - copied)
            buffer[copied..<copied + size].copyBytes(from: part.prefix(size))
            copied += size
        }
        return copied
    }

    /// The rest of the part that contains `offset`; nil at the end.
    private func part(at offset: Int) -> ArraySlice<UInt8>? {
        if offset < prefix.count { return prefix[offset...] }
        let inBlocks = offset - prefix.count
        if repeats.map({ inBlocks < block.count * $0 }) ?? true { return block[(inBlocks % block.count)...] }
        let inSuffix = inBlocks - block.count * (repeats ?? 0)
        return inSuffix < suffix.count ? suffix[inSuffix...] : nil
    }
}

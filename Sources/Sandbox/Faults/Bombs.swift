import CZlib
import PictureCoding

/// Content that is small on the wire and huge when it is unpacked.
///
/// Each bomb is well-formed to its last checksum, so that what stops it can only be a limit. It is built from one
/// mebibyte compressed by itself (deflate's full flush leaves no reference to what came before), sent over and over.
enum Bombs {
    private static let blockSize = 1 << 20

    /// A gibibyte in a gzip frame (RFC 1952): `first`, then the filler, then `last`.
    static func gzip(first: [UInt8], filler: UInt8, last: [UInt8]) -> VirtualBody {
        let repeats = 1024
        let block = [UInt8](repeating: filler, count: blockSize)
        var checksum = crc32(0, first, UInt32(first.count))
        let blockChecksum = crc32(0, block, UInt32(block.count))
        for _ in 0..<repeats { checksum = crc32_combine(checksum, blockChecksum, block.count) }
        checksum = crc32_combine(checksum, crc32(0, last, UInt32(last.count)), last.count)
        let size = first.count + repeats * block.count + last.count
        // Magic number, deflate, no flags, no time, no hints, Unix.
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        return VirtualBody(
            prefix: header + flushed(first),
            block: flushed(block),
            repeats: repeats,
            suffix: finished(last) + littleEndian(UInt32(checksum)) + littleEndian(UInt32(truncatingIfNeeded: size))
        )
    }

    /// A black picture of `side` × `side` pixels, each mebibyte of it a chunk of its own.
    static func pixels(side: Int) -> VirtualBody {
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
        return VirtualBody(prefix: prefix, block: block, repeats: repeats, suffix: suffix)
    }

    /// `bytes` as deflate blocks that end at a byte and lean on nothing.
    private static func flushed(_ bytes: [UInt8]) -> [UInt8] {
        Deflater(level: 9, format: .raw).flush(bytes)
    }

    /// `bytes` and the end of the stream.
    private static func finished(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { Deflater(level: 9, format: .raw).finish($0) }
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) }
    }
}

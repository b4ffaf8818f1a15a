import CZlib

/// Writes a picture as PNG while its rows are drawn (PNG Specification, third edition): 8 bits of red, green and blue.
///
/// Only a row and what is compressed so far are in memory, so that the 90 million pixels of a large original cost no more
/// than its compressed bytes.
///
/// Rows are stored unfiltered: a painted landscape has long runs of one colour and rows that repeat, which deflate finds
/// by itself. Differences (filters 1 to 4) gave the same size and took longer.
struct PNGEncoder: ~Copyable {
    private let width: Int
    private let deflater: Deflater
    /// The filter's number, 0 for none, and `3 × width` bytes.
    private var row: [UInt8]

    /// Begins a picture; `level` is zlib's, `1` (fast) to `9` (small).
    init(width: Int, level: Int32 = 6) {
        self.width = width
        deflater = Deflater(level: level)
        row = [UInt8](repeating: 0, count: width * 3 + 1)
    }

    /// Lets `draw` fill the next row, `3 × width` bytes, and compresses it.
    mutating func appendRow(_ draw: (UnsafeMutablePointer<UInt8>) -> Void) {
        row.withUnsafeMutableBufferPointer { row in
            // The row holds at least the filter's number, so it has an address.
            draw(row.baseAddress! + 1)
        }
        deflater.append(row)
    }

    /// The whole file, once every row was appended.
    consuming func finish(height: Int) -> [UInt8] {
        PNG.file(width: width, height: height, compressed: deflater.finish())
    }
}

/// The frame of a PNG file.
enum PNG {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A file of one IDAT chunk.
    static func file(width: Int, height: Int, compressed: [UInt8]) -> [UInt8] {
        var file = header(width: width, height: height)
        file.reserveCapacity(compressed.count + 64)
        append("IDAT", compressed, to: &file)
        append("IEND", [], to: &file)
        return file
    }

    /// The signature and the IHDR chunk.
    static func header(width: Int, height: Int) -> [UInt8] {
        var file = signature
        // 8 bits a part, colour type 2 (RGB), deflate, adaptive filters, not interlaced.
        append("IHDR", bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0], to: &file)
        return file
    }

    /// Adds a chunk: length, type, data, checksum of the last two.
    static func append(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
        let name = Array(type.utf8)
        file += bigEndian(data.count)
        file += name
        file += data
        let checksum = crc32(crc32(0, name, UInt32(name.count)), data, UInt32(data.count))
        file += bigEndian(Int(checksum))
    }

    private static func bigEndian(_ value: Int) -> [UInt8] {
        let value = UInt32(truncatingIfNeeded: value)
        return [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    }
}

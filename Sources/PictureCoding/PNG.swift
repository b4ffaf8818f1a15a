import CZlib

/// Writes pictures as PNG (PNG Specification, third edition): 8 bits of red, green and blue, rows unfiltered.
package enum PNG {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The file for `width * height` pixels, given row by row; by default uncompressed, for pictures of a few pixels.
    package static func encode(_ pixels: [RGB], width: Int, height: Int, level: Int32 = 0) -> [UInt8] {
        precondition(pixels.count == width * height)
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (1 + 3 * width))
        for start in stride(from: 0, to: pixels.count, by: width) {
            rows.append(0)
            for pixel in pixels[start..<start + width] {
                rows.append(pixel.red)
                rows.append(pixel.green)
                rows.append(pixel.blue)
            }
        }
        let compressed = rows.withUnsafeBytes { Deflater(level: level).finish($0) }
        return file(width: width, height: height, compressed: compressed)
    }

    /// A file with one IDAT chunk.
    static func file(width: Int, height: Int, compressed: [UInt8]) -> [UInt8] {
        var file = header(width: width, height: height)
        file.reserveCapacity(file.count + compressed.count + 24)
        append("IDAT", compressed, to: &file)
        append("IEND", [], to: &file)
        return file
    }

    /// The signature and the IHDR chunk.
    package static func header(width: Int, height: Int) -> [UInt8] {
        var file = signature
        // 8 bits a sample, colour type 2 (RGB), deflate, adaptive filters, not interlaced.
        append("IHDR", bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0], to: &file)
        return file
    }

    /// Appends a chunk: length, type, data, and the checksum of the last two.
    package static func append(_ type: String, _ data: [UInt8], to file: inout [UInt8]) {
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

/// Writes a PNG file while its rows are drawn.
///
/// Only one row and the compressed bytes are in memory, so that an original of 90 million pixels costs no more than its
/// file. Rows are unfiltered: drawn pictures have long runs of one colour, which deflate finds without filters 1 to 4.
package struct PNGEncoder: ~Copyable {
    private let width: Int
    private let deflater: Deflater
    /// The filter type, 0 for none, and `3 × width` bytes.
    private var row: [UInt8]

    /// Begins a picture; `level` is zlib's, `0` (stored) to `9` (smallest).
    package init(width: Int, level: Int32 = 6) {
        self.width = width
        deflater = Deflater(level: level)
        row = [UInt8](repeating: 0, count: width * 3 + 1)
    }

    /// Lets `draw` fill the next row, `3 × width` bytes of red, green and blue, and compresses it.
    package mutating func appendRow(_ draw: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        row.withUnsafeMutableBufferPointer { draw(UnsafeMutableBufferPointer(rebasing: $0[1...])) }
        deflater.append(row)
    }

    /// The whole file, after the last of `height` rows.
    package consuming func finish(height: Int) -> [UInt8] {
        PNG.file(width: width, height: height, compressed: deflater.finish())
    }
}

/// Writes small pictures as PNG (RFC 2083): 8-bit RGB, no filter, and one *stored* block of deflate (RFC 1951, section
/// 3.2.4).
///
/// A compressor would save 15 % of a placeholder and cost a library.
package enum PNG {
    /// The file for pixels given row by row: `width * height` of them, and at most 21 000, what a stored block holds.
    package static func encode(_ pixels: [RGB], width: Int, height: Int) -> [UInt8] {
        precondition(pixels.count == width * height && height * (1 + 3 * width) <= 0xffff)
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (1 + 3 * width))
        for y in 0..<height {
            rows.append(0)
            for pixel in pixels[y * width..<(y + 1) * width] {
                rows += [pixel.red, pixel.green, pixel.blue]
            }
        }
        let length = UInt16(rows.count)
        // zlib's header for the smallest window, then: last block, stored, its length and the complement.
        var data: [UInt8] = [0x78, 0x01, 0x01]
        data += [UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]
        data += rows
        data += bigEndian(adler32(rows))

        var file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
        // Eight bits a sample, colour type 2 (RGB), the only compression and filter methods, no interlace.
        file += chunk("IHDR", bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [8, 2, 0, 0, 0])
        file += chunk("IDAT", data)
        file += chunk("IEND", [])
        return file
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + data
        return bigEndian(UInt32(data.count)) + named + bigEndian(crc32(named))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255)]
    }

    /// RFC 1950, section 8.2.
    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65521
            high = (high + low) % 65521
        }
        return high << 16 | low
    }

    /// The CRC of PNG's annex, a bit at a time through a table of 256.
    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { crcTable[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) }
    }

    private static let crcTable: [UInt32] = (0..<256).map { (index: UInt32) in
        (0..<8).reduce(index) { value, _ in value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
    }
}

import CZlib

/// Decodes a PNG file by its specification, without the code under test.
struct DecodedPNG {
    enum Fault: Error, Equatable {
        case signature
        case truncated
        case checksum(String)
        case header
        case inflate(Int32)
        case filter(UInt8)
    }

    let width: Int
    let height: Int
    let chunks: [String]
    /// Red, green and blue, row by row.
    let pixels: [UInt8]

    init(_ file: [UInt8]) throws(Fault) {
        guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { throw .signature }
        var position = 8
        var chunks: [String] = []
        var header: [UInt8] = []
        var compressed: [UInt8] = []
        while position < file.count {
            guard position + 12 <= file.count else { throw .truncated }
            let length = Self.number(file[position..<position + 4])
            let end = position + 12 + length
            guard end <= file.count else { throw .truncated }
            let type = String(decoding: file[position + 4..<position + 8], as: UTF8.self)
            let body = file[position + 4..<end - 4]
            guard Self.checksum(body) == UInt32(Self.number(file[(end - 4)..<end])) else { throw .checksum(type) }
            chunks.append(type)
            if type == "IHDR" { header = Array(body.dropFirst(4)) }
            if type == "IDAT" { compressed += body.dropFirst(4) }
            position = end
        }
        guard header.count == 13, Array(header[8...]) == [8, 2, 0, 0, 0] else { throw .header }
        width = Self.number(header[0..<4])
        height = Self.number(header[4..<8])
        self.chunks = chunks
        let rows = try Self.inflated(compressed, size: height * (3 * width + 1))
        var pixels: [UInt8] = []
        for row in 0..<height {
            let start = row * (3 * width + 1)
            guard rows[start] == 0 else { throw .filter(rows[start]) }
            pixels += rows[start + 1..<start + 1 + 3 * width]
        }
        self.pixels = pixels
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    /// CRC-32 bit by bit (PNG Specification, annex D).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var register: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 { register = register & 1 == 1 ? register >> 1 ^ 0xEDB8_8320 : register >> 1 }
        }
        return ~register
    }

    private static func inflated(_ bytes: [UInt8], size: Int) throws(Fault) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: size)
        var count = uLongf(size)
        let status = uncompress(&output, &count, bytes, uLong(bytes.count))
        guard status == Z_OK, Int(count) == size else { throw .inflate(status) }
        return output
    }
}

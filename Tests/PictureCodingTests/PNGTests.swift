import Foundation
import PictureCoding
import Testing

@Suite("PNG")
struct PNGTests {
    /// The sizes of the format: 57 bytes around the data, 11 for its header, a filter byte per row, three per pixel.
    @Test("an uncompressed PNG has the size of its format", arguments: [(2, 2, 82), (4, 3, 107), (32, 32, 3172)])
    func size(width: Int, height: Int, bytes: Int) {
        let pixels = Array(repeating: RGB(1, 2, 3), count: width * height)
        #expect(PNG.encode(pixels, width: width, height: height).count == bytes)
    }

    /// Written by Python's zlib and struct from the same pixels: `zlib.compress(rows, 0)` and `zlib.crc32`.
    @Test("a PNG is byte for byte equal to one made with zlib")
    func bytes() {
        let png = PNG.encode([RGB(0xd5, 0x1e, 0x40)], width: 1, height: 1)
        let expected = """
            89504e470d0a1a0a0000000d494844520000000100000001080200000090\
            7753de0000000f4944415478010104\
            00fbff00d51e4002ff0134a1ad75f80000000049454e44ae426082
            """
        #expect(hex(png) == expected)
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }
}

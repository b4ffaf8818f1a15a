import Foundation
import Testing

@testable import PhotoFeed

@Suite("Placeholder")
struct PlaceholderTests {
    /// The sizes that the format gives: 57 bytes around it, 11 around the data, a filter byte a row, three a pixel.
    @Test("a stored PNG has the size that its format gives", arguments: [(2, 2, 82), (4, 3, 107), (32, 32, 3172)])
    func size(width: Int, height: Int, bytes: Int) {
        let pixels = Array(repeating: RGB(1, 2, 3), count: width * height)
        #expect(PNG.encode(pixels, width: width, height: height).count == bytes)
    }

    /// Written by Python's zlib and struct from the same pixels: `zlib.compress(rows, 0)` and `zlib.crc32`.
    @Test("a PNG is byte for byte what zlib's checksums make it")
    func bytes() {
        let png = PNG.encode([RGB(0xd5, 0x1e, 0x40)], width: 1, height: 1)
        let expected = """
            89504e470d0a1a0a0000000d494844520000000100000001080200000090\
            7753de0000000f4944415478010104\
            00fbff00d51e4002ff0134a1ad75f80000000049454e44ae426082
            """
        #expect(hex(png) == expected)
    }

    @Test("a placeholder prefers the blur, then the colour, then grey")
    func order() {
        let blur = "LMJQ=mM|^*aK0h?G^*s:W9E1I[Si"
        #expect(Placeholder(blurHash: blur, color: "#102030").source == .blurHash)
        #expect(Placeholder(blurHash: "broken", color: "#102030").source == .color)
        #expect(Placeholder(blurHash: nil, color: "#12345").source == .neutral)
        #expect(Placeholder(blurHash: nil, color: "#-00000").source == .neutral)
        #expect(Placeholder(blurHash: nil, color: nil).source == .neutral)
        let grey = PNG.encode(Array(repeating: RGB(0xcc, 0xcc, 0xcc), count: 32 * 20), width: 32, height: 20)
        #expect(Placeholder(blurHash: nil, color: nil).png(width: 32, height: 20) == grey)
    }

    @Test("a data URI is short enough for a list, and holds the PNG")
    func dataURI() throws {
        let uri = Placeholder(blurHash: "LMJQ=mM|^*aK0h?G^*s:W9E1I[Si", color: nil).dataURI(portrait: false)
        #expect(uri.utf8.count == 166)
        let prefix = "data:image/png;base64,"
        #expect(uri.hasPrefix(prefix))
        let png = try #require(Data(base64Encoded: String(uri.dropFirst(prefix.count))))
        #expect(png.prefix(4) == Data([0x89, 0x50, 0x4e, 0x47]))
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }
}

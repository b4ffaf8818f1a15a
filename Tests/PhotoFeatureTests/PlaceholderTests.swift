import Foundation
import PictureCoding
import Testing

@testable import PhotoFeature

@Suite("Placeholder")
struct PlaceholderTests {
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

    @Test("a data URI is short enough for a list, and contains the PNG")
    func dataURI() throws {
        let uri = Placeholder(blurHash: "LMJQ=mM|^*aK0h?G^*s:W9E1I[Si", color: nil).dataURI(portrait: false)
        #expect(uri.utf8.count == 166)
        let prefix = "data:image/png;base64,"
        #expect(uri.hasPrefix(prefix))
        let png = try #require(Data(base64Encoded: String(uri.dropFirst(prefix.count))))
        #expect(png.prefix(4) == Data([0x89, 0x50, 0x4e, 0x47]))
    }
}

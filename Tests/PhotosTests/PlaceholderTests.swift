import Photos
import PictureCoding
import Testing

@Suite("Placeholder")
struct PlaceholderTests {
    @Test("a placeholder prefers the blur, then the colour, then grey")
    func order() {
        func plain(_ color: RGB) -> [UInt8] {
            PNG.encode(Array(repeating: color, count: 32 * 20), width: 32, height: 20)
        }
        func drawn(_ blurHash: String?, _ color: String?) -> [UInt8] {
            Placeholder(blurHash: blurHash, color: color).png(width: 32, height: 20)
        }
        let (blue, grey) = (plain(RGB(0x10, 0x20, 0x30)), plain(RGB(0xcc, 0xcc, 0xcc)))
        let blurred = drawn("LMJQ=mM|^*aK0h?G^*s:W9E1I[Si", "#102030")
        #expect(blurred != blue && blurred != grey)
        #expect(drawn("broken", "#102030") == blue)
        for color in ["#12345", "#-00000", nil] { #expect(drawn(nil, color) == grey) }
    }
}

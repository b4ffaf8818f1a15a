import TestSupport
import Testing

@testable import Sandbox

@Suite("BlurHash encoder")
struct BlurHashEncoderTests {
    private func pattern(_ width: Int, _ height: Int) -> [UInt8] {
        (0..<width * height).flatMap { index -> [UInt8] in
            let (x, y) = (index % width, index / width)
            return [UInt8((x * 37 + y * 11) % 256), UInt8((x * 5 + y * 53) % 256), UInt8((x * x + y * 29) % 256)]
        }
    }

    /// Computed with PyPI `blurhash` 1.1.5 on the same pattern.
    @Test(
        "Encodes as the reference does",
        arguments: [
            (8, 6, 4, 3, "LmGS0#J~66=xvfNba|wJQEjIoKV]"),
            (5, 9, 3, 4, "TqFiGoGGJ8J0jWo2VejIj@q,V{bG"),
            (1, 1, 1, 1, "000000"),
            (16, 2, 2, 1, "1kFg3YRK"),
        ]
    )
    func reference(width: Int, height: Int, componentsX: Int, componentsY: Int, hash: String) {
        let encoder = BlurHashEncoder(pixels: pattern(width, height), width: width, height: height)
        #expect(encoder.hash(componentsX: componentsX, componentsY: componentsY) == hash)
    }

    @Test("A plane of one colour has that colour as its mean, and waves of nothing")
    func plane() {
        let encoder = BlurHashEncoder(pixels: [UInt8](repeating: 0x80, count: 4 * 4 * 3), width: 4, height: 4)
        #expect(encoder.average.hexText == "#808080")
        // The specification's 4 × 3 components, the smallest maximum, the mean, and eleven waves of 9, 9, 9.
        #expect(encoder.hash(componentsX: 1, componentsY: 1).hasPrefix("00"))
    }

    @Test("A photo's hash has the length its first character promises, and its mean is the photo's colour")
    func photos() throws {
        let catalogue = Catalogue(seed: 5, count: 40)
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")
        for photo in catalogue.photos {
            let likeness = catalogue.likeness(of: photo)
            #expect(likeness.blurHash.count == 4 + 2 * 4 * 3)
            let digits = try likeness.blurHash.map { try #require(alphabet.firstIndex(of: $0)) }
            let mean = digits[2...5].reduce(0) { $0 * 83 + $1 }
            #expect("#" + String(mean | 0x100_0000, radix: 16).dropFirst() == likeness.color.hexText)
        }
    }
}

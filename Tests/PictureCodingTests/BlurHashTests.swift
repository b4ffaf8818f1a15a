import PictureCoding
import TestSupport
import Testing

@Suite("BlurHash")
struct BlurHashTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let hash: String
        let components: [Int]
        let average: String
        /// Row by row.
        let pixels: [String]

        var testDescription: String { hash }
    }

    /// Decoded by the PyPI packages `blurhash` 1.1.5 and `blurhash-python` 1.2.2, which agree.
    static let vectors = [
        Vector(
            hash: "LlMF%n00%#MwS|WCWEM{R*bbWBbH",
            components: [4, 3],
            average: "c19a8a",
            pixels: [
                "5b4300 9d8674 ab7a50 ccb297",
                "875800 a78071 b27350 d7b7a2",
                "a26d3b a76d62 b56350 e0b7a9",
            ]
        ),
        Vector(
            hash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
            components: [4, 3],
            average: "979695",
            pixels: [
                "87a4b1 a1adb1 b5b4ab a0acae",
                "809ead 989ea3 aa9e95 979fa2",
                "7894a2 8d868b 9e7d6c 8e8c8d",
                "809097 948b85 a98b6f 998f86",
            ]
        ),
        Vector(
            hash: "LMJQ=mM|^*aK0h?G^*s:W9E1I[Si",
            components: [4, 3],
            average: "a89883",
            pixels: [
                "ada293 6e6c56 6f6a62",
                "bfaa99 7e7c73 7a7168",
                "cbad96 9b948e 998876",
                "ae967b b29f85 bca586",
            ]
        ),
        Vector(hash: "00OZZ4", components: [1, 1], average: "d51e40", pixels: ["d51e40 d51e40", "d51e40 d51e40"]),
    ]

    @Test("the vectors are decoded exactly, to the pixel", arguments: vectors)
    func decodes(vector: Vector) throws {
        let hash = try #require(BlurHash(vector.hash))
        #expect([hash.horizontal, hash.vertical] == vector.components)
        #expect(hash.average == RGB(hex: "#" + vector.average))
        let rows = vector.pixels.map { $0.split(separator: " ") }
        let expected = rows.flatMap { $0 }.map { RGB(hex: "#" + $0) }
        #expect(hash.pixels(width: rows[0].count, height: rows.count) == expected)
    }

    @Test(
        "text that is not a hash is refused",
        arguments: [
            "", "L", "00OZZ", "00OZZ44", "LMJQ=mM|^*aK0h?G^*s:W9E1I[S", "00OZZ\"", "00OZZ é", "0000é", "~~OZZ4",
            "00~~~~", "10OZZ4~~",
        ]
    )
    func refuses(text: String) {
        #expect(BlurHash(text) == nil)
    }

    @Test("every sRGB byte is the same after conversion to linear light and back")
    func transferRoundTrip() {
        for byte in UInt8.min...UInt8.max {
            #expect(SRGB.byte(SRGB.linear(byte)) == byte)
        }
        #expect(SRGB.byte(-3) == 0)
        #expect(SRGB.byte(7) == 255)
    }

    /// The largest cost of a request for a placeholder: 64 by 64 pixels of 81 components.
    @Test("the largest blur is drawn in bounded time")
    func largestBlur() throws {
        let text = "~" + String(repeating: "0", count: 3)
        #expect(BlurHash(text) == nil)
        let largest = try #require(BlurHash("|" + "A0000" + String(repeating: "fQ", count: 80)))
        #expect(largest.horizontal == 9 && largest.vertical == 9)
        // An optimised build takes less than a millisecond; the bound is for a debug build.
        let time = processorTime { #expect(largest.pixels(width: 64, height: 64).count == 4096) }
        #expect(time < .seconds(2))
    }
}

@Suite("BlurHash encoding")
struct BlurHashEncodingTests {
    private func pattern(_ width: Int, _ height: Int) -> [RGB] {
        (0..<width * height).map { index in
            let (x, y) = (index % width, index / width)
            return RGB(UInt8((x * 37 + y * 11) % 256), UInt8((x * 5 + y * 53) % 256), UInt8((x * x + y * 29) % 256))
        }
    }

    /// Computed with PyPI `blurhash` 1.1.5 on the same pattern.
    @Test(
        "pictures are encoded as by the reference implementation",
        arguments: [
            (8, 6, 4, 3, "LmGS0#J~66=xvfNba|wJQEjIoKV]"),
            (5, 9, 3, 4, "TqFiGoGGJ8J0jWo2VejIj@q,V{bG"),
            (1, 1, 1, 1, "000000"),
            (16, 2, 2, 1, "1kFg3YRK"),
        ]
    )
    func reference(width: Int, height: Int, horizontal: Int, vertical: Int, text: String) throws {
        let pixels = pattern(width, height)
        let hash = BlurHash(of: pixels, width: width, height: height, horizontal: horizontal, vertical: vertical)
        #expect(hash.text == text)
        let read = try #require(BlurHash(text))
        #expect(read.average == hash.average && read.horizontal == horizontal && read.vertical == vertical)
    }
}

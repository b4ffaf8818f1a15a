import Testing

@testable import PhotoFeed

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

    @Test("the vectors decode to the very pixel", arguments: vectors)
    func decodes(vector: Vector) throws {
        let hash = try #require(BlurHash(vector.hash))
        #expect([hash.horizontal, hash.vertical] == vector.components)
        #expect(hash.average == RGB(hex: "#" + vector.average))
        let rows = vector.pixels.map { $0.split(separator: " ") }
        let expected = rows.flatMap { $0 }.map { RGB(hex: "#" + $0) }
        #expect(hash.pixels(width: rows[0].count, height: rows.count) == expected)
    }

    @Test(
        "what is not a hash is refused",
        arguments: [
            "", "L", "00OZZ", "00OZZ44", "LMJQ=mM|^*aK0h?G^*s:W9E1I[S", "00OZZ\"", "00OZZ é", "0000é", "~~OZZ4",
            "00~~~~", "10OZZ4~~",
        ]
    )
    func refuses(text: String) {
        #expect(BlurHash(text) == nil)
    }

    @Test("every byte of sRGB comes back from linear light")
    func transferRoundTrip() {
        for byte in UInt8.min...UInt8.max {
            #expect(SRGB.byte(SRGB.linear(byte)) == byte)
        }
        #expect(SRGB.byte(-3) == 0)
        #expect(SRGB.byte(7) == 255)
    }

    /// Linear light of sRGB 0.5 by the formula of IEC 61966-2-1, computed with Python's `math.pow`.
    @Test("linear light agrees with pow")
    func linear() {
        #expect(abs(SRGB.linear(128) - 0.215_860_500_113_899_26) < 1e-15)
        #expect(abs(SRGB.linear(11) - 0.003_346_535_763_899_161) < 1e-16)
    }

    @Test("the cosine is exact where it is known")
    func cosine() {
        #expect(Cosine.ofHalfTurns(0, over: 7) == 1)
        #expect(Cosine.ofHalfTurns(7, over: 7) == -1)
        #expect(Cosine.ofHalfTurns(14, over: 7) == 1)
        #expect(Cosine.ofHalfTurns(1, over: 2) == 0)
        #expect(abs(Cosine.ofHalfTurns(1, over: 3) - 0.5) < 1e-15)
        #expect(abs(Cosine.ofHalfTurns(2, over: 3) + 0.5) < 1e-15)
        #expect(abs(Cosine.ofHalfTurns(1, over: 4) - 0.5.squareRoot()) < 1e-15)
    }
}

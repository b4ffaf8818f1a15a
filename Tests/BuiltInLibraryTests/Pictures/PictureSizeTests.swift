import Testing

@testable import BuiltInLibrary

@Suite("Picture sizes")
struct PictureSizeTests {
    /// A photo of 6000 × 4000 pixels.
    private let photo = Catalogue(seed: 3, count: 300).photos.first { $0.width * 2 == $0.height * 3 && $0.width > 4000 }

    /// The image host's modes for a photo of 3:2: `max` and none keep the shape, `crop` fills, `scale` stretches.
    @Test(
        "w, h, dpr and fit give the same size as at the image host",
        arguments: [
            (w: 1080.0, h: nil, dpr: 1.0, fit: "max", size: [1080, 720]),
            (w: 400.0, h: nil, dpr: 2.0, fit: "max", size: [800, 533]),
            (w: nil, h: 200.0, dpr: 1.0, fit: nil, size: [300, 200]),
            (w: 300.0, h: 300.0, dpr: 1.0, fit: "max", size: [300, 200]),
            (w: 300.0, h: 300.0, dpr: 1.0, fit: "clip", size: [300, 200]),
            (w: 300.0, h: 300.0, dpr: 1.0, fit: "crop", size: [300, 300]),
            (w: 300.0, h: 300.0, dpr: 1.0, fit: "scale", size: [300, 300]),
            (w: 300.0, h: 300.0, dpr: 1.0, fit: "nonsense", size: [300, 200]),
            (w: 0.4, h: nil, dpr: 1.0, fit: nil, size: [1, 1]),
        ] as [(w: Double?, h: Double?, dpr: Double, fit: String?, size: [Int])]
    )
    func sizes(w: Double?, h: Double?, dpr: Double, fit: String?, size: [Int]) throws {
        let photo = try #require(photo)
        let result = PictureSize(of: photo, width: w, height: h, dpr: dpr, fit: fit)
        #expect([result.width, result.height] == size)
    }

    @Test("a crop shows the middle of the picture")
    func crop() throws {
        let photo = try #require(photo)
        let square = PictureSize(of: photo, width: 300, height: 300, dpr: 1, fit: "crop")
        #expect(abs(square.part.x - 2 / 3) < 0.001 && square.part.y == 1)
        let strip = PictureSize(of: photo, width: 600, height: 100, dpr: 1, fit: "crop")
        #expect(strip.part.x == 1 && abs(strip.part.y - 0.25) < 0.001)
    }

    @Test("`fit=max` never enlarges, no size gives the original, and no picture is larger than the limit")
    func bounds() throws {
        let photo = try #require(photo)
        let large = PictureSize(of: photo, width: 9000, height: nil, dpr: 1, fit: "max")
        #expect(large.width == photo.width && large.height == photo.height)
        let original = PictureSize(of: photo, width: nil, height: nil, dpr: 1, fit: nil)
        #expect(original.width == photo.width && original.height == photo.height)
        let huge = PictureSize(of: photo, width: 1e12, height: nil, dpr: 8, fit: nil)
        #expect(huge.width == PictureSize.limit && huge.height == PictureSize.limit)
    }
}

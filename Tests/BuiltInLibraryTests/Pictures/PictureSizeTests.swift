import Testing

@testable import BuiltInLibrary

@Suite("Picture sizes")
struct PictureSizeTests {
    /// The image host's modes for a photo of 3:2, such as 6000 × 4000: `max` and none keep the shape, `crop` fills, `scale`
    /// stretches.
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
            // Never enlarged, the original, and the largest that is drawn.
            (w: 9000.0, h: nil, dpr: 1.0, fit: "max", size: nil), (w: nil, h: nil, dpr: 1.0, fit: nil, size: nil),
            (w: 1e308, h: nil, dpr: 8.0, fit: "max", size: nil), (w: 1e308, h: 1e308, dpr: 8.0, fit: "max", size: nil),
            (w: 1e12, h: nil, dpr: 8.0, fit: nil, size: [8192, 5461]),
            (w: nil, h: 1e308, dpr: 8.0, fit: nil, size: [8192, 5461]),
            (w: 1e308, h: 1e308, dpr: 8.0, fit: "scale", size: [8192, 8192]),
        ] as [(w: Double?, h: Double?, dpr: Double, fit: String?, size: [Int]?)]
    )
    func sizes(w: Double?, h: Double?, dpr: Double, fit: String?, size: [Int]?) throws {
        let photos = Catalogue(seed: 3, count: 300).photos
        let photo = try #require(photos.first { $0.width * 2 == $0.height * 3 && $0.width > 4000 })
        let result = PictureSize(of: photo, width: w, height: h, dpr: dpr, fit: fit)
        #expect([result.width, result.height] == size ?? [photo.width, photo.height])
    }
}

import Testing

@testable import Photos

@Suite("PictureTransform")
struct PictureTransformTests {
    @Test(
        "a width is rounded up to a step of the ladder, for any density",
        arguments: [
            (1, 1.0, 200), (200, 1, 200), (201, 1, 320), (375, 2, 750), (414, 2, 828), (360, 3, 1080), (1921, 1, 2400),
            (2400, 1, 2400), (2400, 3, 2400),
        ]
    )
    func widths(width: Int, density: Double, snapped: Int) {
        #expect(PictureTransform(width: width, density: density).width == snapped)
    }

    @Test(
        "a quality is rounded to the nearest multiple of five, from 5 on",
        arguments: [(1, 5), (72, 70), (73, 75), (80, 80), (100, 100)]
    )
    func qualities(quality: Int, step: Int) {
        #expect(PictureTransform(width: 200, quality: quality).quality == step)
    }

    @Test("the height is scaled like the width, and then rounded like a width")
    func heights() {
        let transform = PictureTransform(width: 300, height: 150, fit: .crop)
        #expect(transform.width == 320)
        #expect(transform.height == 200)
        #expect(transform == PictureTransform(width: 160, height: 80, density: 2, fit: .crop))
        #expect(PictureTransform(width: 1, height: 2400).height == 2400)
        #expect(PictureTransform(width: 375, height: 500).height == 640)
        #expect(PictureTransform(width: 1080, height: 1081).height == 1200)
        #expect(PictureTransform(height: 300).height == 320)
        #expect(PictureTransform(height: 320, fit: .crop).fit == .clip)
        #expect(PictureTransform(width: 320, fit: .crop).fit == .clip)
    }

    /// Bounds the number of pictures of one photo that a client can make the service fetch.
    @Test("one photo has at most 24,831 forms, for any requested values")
    func formsOfOnePhoto() {
        var forms = Set(PictureTransform.Variant.allCases.map { PictureTransform($0) })
        let sides: [Int?] = [nil] + stride(from: 1, through: 2400, by: 37).map { $0 } + PictureTransform.ladder
        for width in sides {
            for height in sides {
                for density in [1.0, 1.3, 5.0] {
                    for quality in stride(from: 1, through: 100, by: 3) {
                        for fit in PictureTransform.Fit.allCases {
                            forms.insert(
                                PictureTransform(
                                    width: width,
                                    height: height,
                                    density: density,
                                    quality: quality,
                                    fit: fit
                                )
                            )
                        }
                    }
                }
            }
        }
        let jpegs = (11 * 2 + 11 * 2 + 121 * 3) * 20
        #expect(forms.count == jpegs + 1, "the original beside them")
        let originals = Set(PictureTransform.Format.allCases.map { PictureTransform(.full, format: $0) })
        #expect(jpegs * 3 + jpegs / 20 + originals.count == 24_831)
        let formats = Set(
            PictureTransform.Format.allCases.flatMap { format in
                (1...100).map { PictureTransform(width: 200, quality: $0, format: format) }
            }
        )
        #expect(formats.count == 3 * 20 + 1)
    }

    @Test("the named sizes are equal to their transforms")
    func variants() {
        #expect(PictureTransform(.regular) == PictureTransform(width: 1080))
        #expect(PictureTransform(.thumb) == PictureTransform(width: 150))
        #expect(PictureTransform() == PictureTransform(.regular))
        #expect(PictureTransform(.full).width == nil)
    }

    @Test("the address keeps ixid and drops every other parameter of the list")
    func url() {
        let raw = "https://images.example/photo-1?ixid=M3w2&ixlib=rb-4.0.3&w=9&client_id=secret"
        #expect(
            PictureTransform(.thumb).url(fromRaw: raw)
                == "https://images.example/photo-1?ixid=M3w2&ixlib=rb-4.0.3&cs=tinysrgb&fit=max&fm=jpg&q=80&w=200"
        )
        #expect(
            PictureTransform(width: 400, height: 400, quality: 60, fit: .crop, format: .webp)
                .url(fromRaw: "https://images.example/photo-1")
                == "https://images.example/photo-1?cs=tinysrgb&crop=entropy&fit=crop&fm=webp&h=400&q=60&w=400"
        )
    }

    /// The example of the specification: a thumb of 2396 × 3600 is 200 × 301.
    @Test("a named size has the size of the specification")
    func size() {
        let original = PixelSize(width: 2396, height: 3600)
        #expect(PictureTransform(.thumb).size(of: original) == PixelSize(width: 200, height: 301))
        #expect(PictureTransform(.full).size(of: original) == original)
        let small = PixelSize(width: 100, height: 50)
        #expect(PictureTransform(.regular).size(of: small) == small)
    }
}

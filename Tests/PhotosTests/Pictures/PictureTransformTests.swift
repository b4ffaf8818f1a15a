import HTTPExchange
import HTTPTypes
import ServiceHarness
import Testing

@testable import Photos

@Suite("PictureTransform")
struct PictureTransformTests {
    /// The address of a transform keeps `ixid` and `ixlib`, and drops every other parameter of the list.
    @Test(
        "sides are rounded up to the ladder, qualities to a multiple of five, and equal pictures have one address",
        arguments: [
            ("image/thumb", "fit=max&fm=jpg&q=80&w=200"), ("image/full", "fit=max&fm=jpg&q=85"),
            ("image/full.png", "fit=max&fm=png&q=80"), ("image", "fit=max&fm=jpg&q=80&w=1080"),
            ("image/regular", "fit=max&fm=jpg&q=80&w=1080"), ("image?w=1", "fit=max&fm=jpg&q=80&w=200"),
            ("image?w=200", "fit=max&fm=jpg&q=80&w=200"), ("image?w=201", "fit=max&fm=jpg&q=80&w=320"),
            ("image?w=375&dpr=2", "fit=max&fm=jpg&q=80&w=750"), ("image?w=414&dpr=2", "fit=max&fm=jpg&q=80&w=828"),
            ("image?w=360&dpr=3", "fit=max&fm=jpg&q=80&w=1080"), ("image?w=1921", "fit=max&fm=jpg&q=80&w=2400"),
            ("image?w=2400&dpr=3", "fit=max&fm=jpg&q=80&w=2400"), ("image?w=200&q=1", "fit=max&fm=jpg&q=5&w=200"),
            ("image?w=200&q=72", "fit=max&fm=jpg&q=70&w=200"), ("image?w=200&q=73", "fit=max&fm=jpg&q=75&w=200"),
            ("image?w=200&q=100", "fit=max&fm=jpg&q=100&w=200"),
            ("image?w=200&q=1&fm=png", "fit=max&fm=png&q=80&w=200"),
            // A height is scaled like the width, and then rounded like one.
            ("image?w=300&h=150&fit=crop", "crop=entropy&fit=crop&fm=jpg&h=200&q=80&w=320"),
            ("image?w=160&h=80&dpr=2&fit=crop", "crop=entropy&fit=crop&fm=jpg&h=200&q=80&w=320"),
            ("image?w=1&h=2400", "fit=max&fm=jpg&h=2400&q=80&w=200"),
            ("image?w=375&h=500", "fit=max&fm=jpg&h=640&q=80&w=400"),
            ("image?w=1080&h=1081", "fit=max&fm=jpg&h=1200&q=80&w=1080"), ("image?h=300", "fit=max&fm=jpg&h=320&q=80"),
            // With one side a crop is the same as clip.
            ("image?h=320&fit=crop", "fit=clip&fm=jpg&h=320&q=80"),
            ("image?w=320&fit=crop", "fit=clip&fm=jpg&q=80&w=320"),
            (
                "image?w=400&h=400&q=60&fit=crop&fm=webp&ixid=other",
                "crop=entropy&fit=crop&fm=webp&h=400&q=60&w=400"
            ),
        ]
    )
    func addresses(path: String, query: String) async throws {
        let fixture = try PhotoFixture()
        #expect(try await fixture.get("/v1/photos/p1/\(path)").status == .ok)
        let colors = query.contains("w=") || query.contains("h=") ? "tinysrgb" : "srgb"
        #expect(
            fixture.library.pictureCalls == ["https://images.example/p1?ixid=M3w1&ixlib=rb&cs=\(colors)&\(query)"]
        )
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

import Testing

@testable import PhotoFeed

@Suite("PictureTransform")
struct PictureTransformTests {
    @Test(
        "a width snaps up to the ladder, whatever the density",
        arguments: [
            (1, 1.0, 200), (200, 1, 200), (201, 1, 320), (375, 2, 750), (414, 2, 828), (360, 3, 1080), (1921, 1, 2400),
            (2400, 1, 2400), (2400, 3, 2400),
        ]
    )
    func widths(width: Int, density: Double, snapped: Int) {
        #expect(PictureTransform(width: width, density: density).width == snapped)
    }

    @Test("a quality goes to the nearest step of five", arguments: [(1, 5), (72, 70), (73, 75), (80, 80), (100, 100)])
    func qualities(quality: Int, step: Int) {
        #expect(PictureTransform(width: 200, quality: quality).quality == step)
    }

    @Test("the height grows as the width does, so the shape stays")
    func heights() {
        let transform = PictureTransform(width: 300, height: 150, fit: .crop)
        #expect(transform.width == 320)
        #expect(transform.height == 160)
        #expect(transform == PictureTransform(width: 160, height: 80, density: 2, fit: .crop))
        #expect(PictureTransform(width: 1, height: 2400).height == 2400)
        #expect(PictureTransform(height: 300).height == 320)
        #expect(PictureTransform(width: 320, fit: .crop).fit == .clip)
    }

    @Test("the named sizes are the transforms that they stand for")
    func variants() {
        #expect(PictureTransform(.regular) == PictureTransform(width: 1080))
        #expect(PictureTransform(.thumb) == PictureTransform(width: 150))
        #expect(PictureTransform() == PictureTransform(.regular))
        #expect(PictureTransform(.full).width == nil)
    }

    @Test("the address keeps ixid and drops every other parameter of the listing")
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
    @Test("the size that a named size has")
    func size() {
        let original = PixelSize(width: 2396, height: 3600)
        #expect(PictureTransform(.thumb).size(of: original) == PixelSize(width: 200, height: 301))
        #expect(PictureTransform(.full).size(of: original) == original)
        let small = PixelSize(width: 100, height: 50)
        #expect(PictureTransform(.regular).size(of: small) == small)
    }
}

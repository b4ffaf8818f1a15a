/// A picture in a few characters: what a client shows before the picture is there.
struct Likeness: Sendable, Equatable {
    let color: Color
    let blurHash: String

    /// Draws the photo at the size of a stamp and looks at it.
    init(of photo: CataloguePhoto) {
        let (width, height) = PictureSize.fitting(photo, within: 32)
        let viewport = Viewport(width: width, height: height, aspectRatio: photo.aspectRatio)
        let renderer = PictureRenderer(photo.scene, viewport)
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        pixels.withUnsafeMutableBufferPointer { pixels in
            for row in 0..<height {
                // At least one pixel, so there is an address.
                renderer.draw(row: row, into: pixels.baseAddress! + row * width * 3)
            }
        }
        let encoder = BlurHashEncoder(pixels: pixels, width: width, height: height)
        color = encoder.average
        blurHash = encoder.hash(componentsX: 4, componentsY: 3)
    }
}

import PictureCoding

/// A picture in a few characters: what a client shows before the picture is there.
struct Likeness: Sendable, Equatable {
    let color: RGB
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
        let colors = stride(from: 0, to: pixels.count, by: 3).map { RGB(pixels[$0], pixels[$0 + 1], pixels[$0 + 2]) }
        let hash = BlurHash(of: colors, width: width, height: height, horizontal: 4, vertical: 3)
        color = hash.average
        blurHash = hash.text
    }
}

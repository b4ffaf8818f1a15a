import PictureCoding

/// The parameters of a picture; equal ones give the same file.
struct Picture: Hashable, Sendable {
    let photo: CataloguePhoto
    let size: PictureSize
    /// False for a low quality, which shows the steps of the colours.
    let dithers: Bool

    /// Draws the picture as a PNG.
    ///
    /// - Throws: `CancellationError` as soon as `isWanted` is false.
    func draw(_ isWanted: () -> Bool) throws -> [UInt8] {
        let renderer = LandscapeRenderer(photo, size, dithers: dithers)
        var encoder = PNGEncoder(width: size.width)
        for row in 0..<size.height {
            if row & 63 == 0, !isWanted() { throw CancellationError() }
            encoder.appendRow { renderer.draw(row: row, into: $0) }
        }
        return encoder.finish(height: size.height)
    }
}

extension BlurHash {
    /// The blur of a photo's picture, which clients show until they have the picture.
    init(of photo: CataloguePhoto) {
        let size = PictureSize(of: photo, width: 32, height: 32, dpr: 1, fit: "clip")
        let renderer = LandscapeRenderer(photo, size, dithers: true)
        var row = [UInt8](repeating: 0, count: size.width * 3)
        var pixels: [RGB] = []
        for number in 0..<size.height {
            row.withUnsafeMutableBufferPointer { renderer.draw(row: number, into: $0) }
            for start in stride(from: 0, to: row.count, by: 3) {
                pixels.append(RGB(row[start], row[start + 1], row[start + 2]))
            }
        }
        self.init(of: pixels, width: size.width, height: size.height, horizontal: 4, vertical: 3)
    }
}

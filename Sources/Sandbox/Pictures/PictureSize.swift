import Primitives

/// The size of a drawing and the part of the photo on it: the image host's `w`, `h`, `dpr` and `fit`.
struct PictureSize: Sendable, Hashable {
    /// In pixels.
    let width: Int
    let height: Int
    /// The part of the picture that is shown, from its middle, as fractions of its width and height.
    let partWidth: Float
    let partHeight: Float

    /// No picture is drawn larger than this on either side; the host's own limit is 8192, and originals reach 11562.
    static let limit = 12_000

    /// Reads the parameters as the upstream's image host does, which ignores values that it does not know.
    ///
    /// - `fit=max` and none, `clip`: inside `w` × `h`, and `max` never larger than the original.
    /// - `fit=crop`: fills `w` × `h` and cuts from the middle.
    /// - `fit=scale`, `fill`: exactly `w` × `h`, stretched.
    init(of photo: CataloguePhoto, width: Double?, height: Double?, dpr: Double, fit: String?) {
        let (originalWidth, originalHeight) = (Double(photo.width), Double(photo.height))
        let ratio = originalWidth / originalHeight
        let dpr = min(max(dpr, 0.75), 8)
        // A missing side follows from the other one; without both the original is shown.
        let wantedWidth = width.map { $0 * dpr } ?? height.map { $0 * dpr * ratio } ?? originalWidth
        let wantedHeight = height.map { $0 * dpr } ?? wantedWidth / ratio
        var (partWidth, partHeight) = (1.0, 1.0)
        var size = (width: wantedWidth, height: wantedHeight)
        switch fit {
        case "crop":
            partWidth = min(1, wantedWidth / wantedHeight / ratio)
            partHeight = min(1, ratio * wantedHeight / wantedWidth)
        case "scale", "fill": break
        default:
            let scale = min(wantedWidth / originalWidth, wantedHeight / originalHeight)
            size = (originalWidth * scale, originalHeight * scale)
        }
        if fit == "max" || fit == "crop" {
            let shrink = min(1, originalWidth * partWidth / size.width, originalHeight * partHeight / size.height)
            size = (size.width * shrink, size.height * shrink)
        }
        self.width = Self.pixels(size.width)
        self.height = Self.pixels(size.height)
        self.partWidth = Float(partWidth)
        self.partHeight = Float(partHeight)
    }

    private static func pixels(_ length: Double) -> Int {
        Int.clamping(length.rounded(), to: 1...limit)
    }
}

/// The mapping of pixels to picture coordinates, whose unit is the shorter side: 3:2 spans `0 ... 1.5` by `0 ... 1`.
struct Viewport: Sendable, Equatable {
    /// The size of the output in pixels, at least 1 × 1.
    let width: Int
    let height: Int
    /// The whole picture in picture coordinates.
    let extentX: Float
    let extentY: Float
    /// The upper left corner of the part, and the size of a pixel, in picture coordinates.
    let originX: Float
    let originY: Float
    let stepX: Float
    let stepY: Float

    /// The part that a size shows of a picture.
    init(_ size: PictureSize, aspectRatio: Float) {
        width = size.width
        height = size.height
        extentX = max(aspectRatio, 1)
        extentY = max(1 / aspectRatio, 1)
        originX = extentX * (1 - size.partWidth) / 2
        originY = extentY * (1 - size.partHeight) / 2
        stepX = extentX * size.partWidth / Float(width)
        stepY = extentY * size.partHeight / Float(height)
    }

    /// The picture coordinate of the middle of column `column`.
    func x(_ column: Int) -> Float { originX + (Float(column) + 0.5) * stepX }

    /// The picture coordinate of the middle of row `row`.
    func y(_ row: Int) -> Float { originY + (Float(row) + 0.5) * stepY }

    /// The row, in fractions of a pixel, of picture coordinate `y`.
    func row(ofY y: Float) -> Float { (y - originY) / stepY }
}

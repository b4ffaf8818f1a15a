import Primitives

/// The size of a drawing and the part of the photo on it: the image host's `w`, `h`, `dpr` and `fit`.
///
/// The shorter side of the whole picture is the unit of picture coordinates: 3:2 spans `0 ... 1.5` by `0 ... 1`.
struct PictureSize: Sendable, Hashable {
    /// In pixels.
    let width: Int
    let height: Int
    /// The part of the picture that is shown, from its middle, as fractions of its width and height.
    let part: SIMD2<Float>
    /// The whole picture, the upper left corner of the part, and the size of a pixel, in picture coordinates.
    let extent: SIMD2<Float>
    let origin: SIMD2<Float>
    let step: SIMD2<Float>

    /// No side is longer than this, as at the image host, or than that of the original, which reaches 11562.
    private static let limit = 8192.0

    /// Reads the parameters as the upstream's image host does, which ignores values that it does not know.
    ///
    /// - `fit=max` and none, `clip`: inside `w` × `h`, and `max` never larger than the original.
    /// - `fit=crop`: fills `w` × `h` and cuts from the middle.
    /// - `fit=scale`, `fill`: exactly `w` × `h`, stretched.
    init(of photo: CataloguePhoto, width: Double?, height: Double?, dpr: Double, fit: String?) {
        let original = SIMD2(Double(photo.width), Double(photo.height))
        let ratio = original.x / original.y
        let dpr = min(max(dpr, 0.75), 8)
        // A missing side follows from the other one; without both the original is shown.
        let wantedWidth = width.map { $0 * dpr } ?? height.map { $0 * dpr * ratio } ?? original.x
        let wantedHeight = height.map { $0 * dpr } ?? wantedWidth / ratio
        var size = pointwiseMin(SIMD2(wantedWidth, wantedHeight), pointwiseMax(original, SIMD2(repeating: Self.limit)))
        var part = SIMD2(1.0, 1.0)
        switch fit {
        case "crop": part = SIMD2(min(1, size.x / size.y / ratio), min(1, ratio * size.y / size.x))
        case "scale", "fill": break
        default: size = original * (size / original).min()
        }
        if fit == "max" || fit == "crop" { size *= min(1, (original * part / size).min()) }
        self.width = Int.clamping(size.x.rounded(), to: 1...Int.max)
        self.height = Int.clamping(size.y.rounded(), to: 1...Int.max)
        self.part = SIMD2<Float>(part)
        extent = SIMD2(Float(max(ratio, 1)), Float(max(1 / ratio, 1)))
        origin = extent * (1 - self.part) / 2
        step = extent * self.part / SIMD2(Float(self.width), Float(self.height))
    }

    /// The picture coordinate of the middle of column `column`.
    func x(_ column: Int) -> Float { origin.x + (Float(column) + 0.5) * step.x }

    /// The picture coordinate of the middle of row `row`.
    func y(_ row: Int) -> Float { origin.y + (Float(row) + 0.5) * step.y }
}

import Primitives

/// How large a picture is drawn, and which part of it: the image host's `w`, `h`, `dpr` and `fit`.
struct PictureSize: Sendable, Hashable {
    /// In pixels.
    let width: Int
    let height: Int
    /// The part of the picture that is shown, from its middle, as fractions of its width and height.
    let partWidth: Float
    let partHeight: Float

    /// No picture is drawn larger than this on either side; the host's own limit is 8192, and originals reach 11562.
    static let limit = 12_000

    /// Reads the upstream's parameters as its image host does: what it does not understand it leaves out.
    ///
    /// - `fit=max` and none, `clip`: inside `w` × `h`, and `max` never larger than the original.
    /// - `fit=crop`: fills `w` × `h` and cuts from the middle.
    /// - `fit=scale`, `fill`: exactly `w` × `h`, stretched.
    init(of photo: CataloguePhoto, width: Double?, height: Double?, dpr: Double, fit: String?) {
        let (originalWidth, originalHeight) = (Double(photo.width), Double(photo.height))
        let ratio = originalWidth / originalHeight
        let dpr = min(max(dpr, 0.75), 8)
        var wanted = (width: width.map { $0 * dpr }, height: height.map { $0 * dpr })
        if wanted.width == nil, wanted.height == nil { wanted.width = originalWidth }
        var (partWidth, partHeight) = (1.0, 1.0)
        var size: (width: Double, height: Double)
        switch (fit, wanted.width, wanted.height) {
        case ("crop", let width?, let height?):
            size = (width, height)
            if width / height > ratio {
                partHeight = ratio * height / width
            } else {
                partWidth = width / height / ratio
            }
        case ("scale", let width?, let height?), ("fill", let width?, let height?):
            size = (width, height)
        case (_, let width?, let height?):
            let scale = min(width / originalWidth, height / originalHeight)
            size = (originalWidth * scale, originalHeight * scale)
        case (_, let width?, nil):
            size = (width, width / ratio)
        case (_, nil, let height?):
            size = (height * ratio, height)
        case (_, nil, nil):
            size = (originalWidth, originalHeight)
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

    /// The whole photo with its longer side at `side` pixels.
    static func fitting(_ photo: CataloguePhoto, within side: Int) -> (width: Int, height: Int) {
        let size = PictureSize(of: photo, width: Double(side), height: Double(side), dpr: 1, fit: "clip")
        return (size.width, size.height)
    }

    private static func pixels(_ length: Double) -> Int {
        Int.clamping(length.rounded(), to: 1...limit)
    }
}

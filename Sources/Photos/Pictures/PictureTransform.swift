import Primitives

/// The size and encoding of a picture, normalised for the cache.
///
/// Devices request many different widths. Widths and heights are rounded up to a ladder and qualities to multiples of
/// five, so that nearly equal requests share one cached picture.
///
/// One photo has at most 24,831 forms: 11 widths and 11 heights with two fits, and 121 pairs with three fits. Each of
/// them has 20 qualities of three formats, or is a PNG; the original has one quality of each format.
struct PictureTransform: Sendable, Hashable {
    /// The widths and heights of fetched pictures, in pixels.
    static let ladder = [200, 320, 400, 640, 750, 828, 1080, 1200, 1440, 1920, 2400]
    /// The widths and heights that clients may request, in pixels before `dpr`.
    static let sides = 1...2400
    private static let regularWidth = 1080
    static let densities = 1.0...5.0
    static let qualities = 1...100

    /// The fit of a picture into a width and a height, with the image service's names.
    enum Fit: String, Sendable, CaseIterable {
        /// Fits within, never enlarged.
        case max
        /// Fits within.
        case clip
        /// Fills both sides and cuts off the rest.
        case crop
    }

    enum Format: String, Sendable, CaseIterable {
        case jpg, png, webp, avif
    }

    /// The named sizes of the library.
    enum Variant: String, Sendable, CaseIterable {
        case thumb, small, regular, full

        /// In pixels; nil for the original's.
        var width: Int? {
            switch self {
            case .thumb: 200
            case .small: 400
            case .regular: PictureTransform.regularWidth
            case .full: nil
            }
        }
    }

    /// The last segment of a picture's path: a variant, with the format as its extension if there is one, as in `thumb.webp`.
    ///
    /// Many CDNs cache by the extension.
    struct FileName: RawRepresentable, CaseIterable, Sendable {
        let variant: Variant
        let format: Format?

        static let allCases = Variant.allCases.flatMap { variant in
            ([nil] + Format.allCases).map { FileName(variant: variant, format: $0) }
        }

        var rawValue: String { variant.rawValue + (format.map { ".\($0.rawValue)" } ?? "") }

        fileprivate static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
    }

    /// A step of the ladder; nil for the original's.
    let width: Int?
    let height: Int?
    let quality: Int
    let fit: Fit
    let format: Format

    init(_ variant: Variant, format: Format = .jpg) {
        width = variant.width
        height = nil
        quality = variant == .full && format != .png ? 85 : 80
        fit = .max
        self.format = format
    }

    /// Normalises the parameters of a request, which are in the ranges above.
    ///
    /// A height is scaled like the width, so that the shape stays, and then rounded like a width. Without both, the width is
    /// that of `regular`. PNG, which loses nothing, has one quality.
    init(
        width: Int? = nil,
        height: Int? = nil,
        density: Double = 1,
        quality: Int = 80,
        fit: Fit = .max,
        format: Format = .jpg
    ) {
        if width == nil, let height {
            self.width = nil
            self.height = PictureTransform.snapped(Double(height) * density)
        } else {
            let width = Double(width ?? PictureTransform.regularWidth)
            let snapped = PictureTransform.snapped(width * density)
            self.width = snapped
            self.height = height.map { PictureTransform.snapped((Double($0) * Double(snapped) / width).rounded()) }
        }
        self.quality = format == .png ? 80 : Swift.min(100, Swift.max(5, (quality + 2) / 5 * 5))
        // With one side a crop is the same as `clip`.
        self.fit = fit == .crop && (self.width == nil || self.height == nil) ? .clip : fit
        self.format = format
    }

    private static func snapped(_ side: Double) -> Int {
        ladder.first { Double($0) >= side } ?? ladder[ladder.count - 1]
    }

    /// The address of the picture in this form: the path of the photo's `raw` address, the transform, and the
    /// parameters that the library's terms require (`ixid`, `ixlib`).
    func url(fromRaw raw: String) -> String {
        let parts = raw.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var query = parts.dropFirst().joined().split(separator: "&").map(String.init)
        query.removeAll { !$0.hasPrefix("ixid=") && !$0.hasPrefix("ixlib=") }
        query.append("cs=" + (width == nil && height == nil ? "srgb" : "tinysrgb"))
        if fit == .crop { query.append("crop=entropy") }
        query.append("fit=\(fit.rawValue)")
        query.append("fm=\(format.rawValue)")
        if let height { query.append("h=\(height)") }
        query.append("q=\(quality)")
        if let width { query.append("w=\(width)") }
        return "\(parts[0])?" + query.joined(separator: "&")
    }

    /// The size of the picture of an original, for `fit=max` and one given side.
    func size(of original: PixelSize) -> PixelSize {
        guard let width, width < original.width else { return original }
        let height = (Double(original.height) * Double(width) / Double(original.width)).rounded()
        return PixelSize(width: width, height: Int.clamping(height, to: 1...Int.max))
    }
}

extension PictureTransform.FileName {
    init?(rawValue: String) {
        guard let name = Self.byName[rawValue] else { return nil }
        self = name
    }
}

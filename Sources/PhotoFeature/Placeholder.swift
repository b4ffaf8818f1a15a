import PictureCoding
import Primitives

/// A small picture that is shown until a photo has arrived, drawn from the photo's entry in a list.
struct Placeholder: Sendable, Equatable {
    /// The member that the placeholder is drawn from.
    enum Source: Sendable {
        case blurHash
        case color
        /// The photo has neither.
        case neutral
    }

    let source: Source
    private let blur: BlurHash?
    private let color: RGB

    /// Draws the blur if there is a valid one, else the colour, else a light grey.
    init(blurHash: String?, color: String?) {
        blur = blurHash.flatMap(BlurHash.init)
        let named = color.flatMap(RGB.init(hex:))
        self.color = named ?? RGB(0xcc, 0xcc, 0xcc)
        source = blur != nil ? .blurHash : named != nil ? .color : .neutral
    }

    /// A PNG of the given size, 1 to 64 pixels a side.
    func png(width: Int, height: Int) -> [UInt8] {
        guard let blur else {
            return PNG.encode(Array(repeating: color, count: width * height), width: width, height: height)
        }
        return PNG.encode(blur.pixels(width: width, height: height), width: width, height: height)
    }

    /// A data URI, small enough for every entry of a list: four pixels on the longer side, three on the shorter; one
    /// pixel for a plain colour.
    func dataURI(portrait: Bool) -> String {
        let bytes = blur == nil ? png(width: 1, height: 1) : png(width: portrait ? 3 : 4, height: portrait ? 4 : 3)
        return "data:image/png;base64," + Base64.encode(bytes, .standard)
    }
}

import PictureCoding
import Primitives

/// A small picture that is shown until a photo has arrived, drawn from the photo's entry in a list.
package struct Placeholder: Sendable {
    private let blur: BlurHash?
    private let color: RGB

    /// Draws the blur if there is a valid one, else the colour, else a light grey.
    package init(blurHash: String?, color: String?) {
        blur = blurHash.flatMap(BlurHash.init)
        self.color = color.flatMap(RGB.init(hex:)) ?? RGB(0xcc, 0xcc, 0xcc)
    }

    /// A PNG of the given size, 1 to 64 pixels a side.
    package func png(width: Int, height: Int) -> [UInt8] {
        let pixels = blur?.pixels(width: width, height: height) ?? Array(repeating: color, count: width * height)
        return PNG.encode(pixels, width: width, height: height)
    }

    /// A data URI for an entry of a list: four pixels by three, or one pixel for a plain colour.
    package func dataURI(portrait: Bool) -> String {
        let bytes = blur == nil ? png(width: 1, height: 1) : png(width: portrait ? 3 : 4, height: portrait ? 4 : 3)
        return "data:image/png;base64," + Base64.encode(bytes, .standard)
    }
}

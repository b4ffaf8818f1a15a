/// A picture in thirty characters (woltapp/blurhash, `Algorithm.md`): the lowest terms of a cosine transform, from
/// which a blur of any size can be drawn.
///
/// The text is base 83, big-endian. Character 0 gives the number of components, 1 the greatest of the varying ones, 2
/// to 5 the mean colour as 24-bit sRGB; each further pair is one component. Components are in linear light.
package struct BlurHash: Sendable, Equatable {
    /// How many components there are in each direction, 1 to 9.
    package let horizontal: Int
    package let vertical: Int
    /// The mean colour.
    package let average: RGB
    /// Row by row, the mean first.
    private let components: [LinearColor]

    private struct LinearColor: Equatable {
        var red: Double
        var green: Double
        var blue: Double
    }

    /// Reads a hash; nil when its length does not fit its first character or a character is not of the alphabet.
    package init?(_ text: String) {
        var digits: [Int] = []
        for byte in text.utf8 {
            guard let digit = BlurHash.digit(byte) else { return nil }
            digits.append(digit)
        }
        guard let size = digits.first, size <= 80 else { return nil }
        horizontal = size % 9 + 1
        vertical = size / 9 + 1
        guard digits.count == 4 + 2 * horizontal * vertical else { return nil }
        let mean = digits[2...5].reduce(0) { $0 * 83 + $1 }
        guard mean <= 0xff_ffff else { return nil }
        average = RGB(UInt8(mean >> 16), UInt8(mean >> 8 & 255), UInt8(mean & 255))
        let greatest = Double(digits[1] + 1) / 166
        var components = [
            LinearColor(
                red: SRGB.linear(average.red),
                green: SRGB.linear(average.green),
                blue: SRGB.linear(average.blue)
            )
        ]
        for position in stride(from: 6, to: digits.count, by: 2) {
            let value = digits[position] * 83 + digits[position + 1]
            guard value < 19 * 19 * 19 else { return nil }
            components.append(
                LinearColor(
                    red: BlurHash.signedSquare(value / 361) * greatest,
                    green: BlurHash.signedSquare(value / 19 % 19) * greatest,
                    blue: BlurHash.signedSquare(value % 19) * greatest
                )
            )
        }
        self.components = components
    }

    /// The greatest side that is drawn, in pixels; a blur has nothing to show beyond it.
    package static let largestSide = 64

    /// Draws the blur.
    ///
    /// The sample of a pixel lies at its corner, as in the reference: `x / width` without the half. Both sides are 1 to
    /// 64; the pixels come row by row.
    package func pixels(width: Int, height: Int) -> [RGB] {
        precondition(1...BlurHash.largestSide ~= width && 1...BlurHash.largestSide ~= height)
        let acrossTerms = BlurHash.cosines(components: horizontal, samples: width)
        let downTerms = BlurHash.cosines(components: vertical, samples: height)
        var pixels: [RGB] = []
        pixels.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width {
                var sum = LinearColor(red: 0, green: 0, blue: 0)
                for j in 0..<vertical {
                    for i in 0..<horizontal {
                        let basis = acrossTerms[i * width + x] * downTerms[j * height + y]
                        let component = components[j * horizontal + i]
                        sum.red += component.red * basis
                        sum.green += component.green * basis
                        sum.blue += component.blue * basis
                    }
                }
                pixels.append(RGB(SRGB.byte(sum.red), SRGB.byte(sum.green), SRGB.byte(sum.blue)))
            }
        }
        return pixels
    }

    /// `cos(π i x / samples)` for every component `i` and sample `x`.
    private static func cosines(components: Int, samples: Int) -> [Double] {
        (0..<components).flatMap { i in (0..<samples).map { x in Cosine.ofHalfTurns(i * x, over: samples) } }
    }

    private static func signedSquare(_ quantum: Int) -> Double {
        let value = Double(quantum - 9) / 9
        return value < 0 ? -value * value : value * value
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A")) + 10
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 36
        default: punctuation.firstIndex(of: byte).map { $0 + 62 }
        }
    }

    private static let punctuation = Array("#$%*+,-.:;=?@[]^_{|}~".utf8)
}

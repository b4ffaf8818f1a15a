import Glibc
import Primitives

/// A blurred picture in about thirty characters (woltapp/blurhash, `Algorithm.md`).
///
/// A hash holds the lowest terms of a cosine transform in linear light. Component `(i, j)` weighs the wave that has `i`
/// half periods across and `j` down; component `(0, 0)` is the mean colour. The text is base 83, big-endian: character 0
/// gives the number of components, 1 the greatest amplitude, 2 to 5 the mean as 24-bit sRGB, and each further pair one
/// component in 19 steps a channel.
package struct BlurHash: Sendable, Equatable {
    /// The number of components in each direction, 1 to 9.
    package let horizontal: Int
    package let vertical: Int
    package let average: RGB
    package let text: String
    /// Linear red, green and blue, row by row, the mean first.
    private let components: [SIMD3<Double>]

    /// The greatest side of a drawing, in pixels; a larger one shows no more detail.
    package static let largestSide = 64

    /// Reads a hash; nil if its length does not fit its first character or a character is not of the alphabet.
    package init?(_ text: String) {
        var digits: [Int] = []
        for byte in text.utf8 {
            guard let digit = Self.alphabet.firstIndex(of: byte) else { return nil }
            digits.append(digit)
        }
        guard let size = digits.first, size <= 80 else { return nil }
        horizontal = size % 9 + 1
        vertical = size / 9 + 1
        guard digits.count == 4 + 2 * horizontal * vertical else { return nil }
        let mean = digits[2...5].reduce(0) { $0 * 83 + $1 }
        guard mean <= 0xff_ffff else { return nil }
        average = RGB(UInt32(mean))
        let greatest = Double(digits[1] + 1) / 166
        var components = [SIMD3(SRGB.linear(average.red), SRGB.linear(average.green), SRGB.linear(average.blue))]
        for position in stride(from: 6, to: digits.count, by: 2) {
            let value = digits[position] * 83 + digits[position + 1]
            guard value < 19 * 19 * 19 else { return nil }
            let channels = [value / 361, value / 19 % 19, value % 19].map { Self.signedSquare($0) * greatest }
            components.append(SIMD3(channels[0], channels[1], channels[2]))
        }
        self.components = components
        self.text = text
    }

    /// Draws the blur, row by row, with 1 to 64 pixels a side.
    ///
    /// The sample of a pixel lies at its corner, as in the reference: `x / width` without the half.
    package func pixels(width: Int, height: Int) -> [RGB] {
        precondition(1...Self.largestSide ~= width && 1...Self.largestSide ~= height)
        let across = (0..<horizontal).map { Self.wave($0, samples: width) }
        let down = (0..<vertical).map { Self.wave($0, samples: height) }
        var pixels: [RGB] = []
        pixels.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width {
                var light = SIMD3<Double>.zero
                for j in 0..<vertical {
                    for i in 0..<horizontal { light += components[j * horizontal + i] * (across[i][x] * down[j][y]) }
                }
                pixels.append(RGB(SRGB.byte(light.x), SRGB.byte(light.y), SRGB.byte(light.z)))
            }
        }
        return pixels
    }

    /// `cos(π i x / samples)` for every sample `x`.
    private static func wave(_ i: Int, samples: Int) -> [Double] {
        (0..<samples).map { cos(.pi * Double(i * $0) / Double(samples)) }
    }

    private static func signedSquare(_ quantum: Int) -> Double {
        let value = Double(quantum - 9) / 9
        return value < 0 ? -value * value : value * value
    }

    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8
    )

    /// Encodes a picture of `width * height` pixels, given row by row, with 1 to 9 components in each direction.
    package init(of pixels: [RGB], width: Int, height: Int, horizontal: Int, vertical: Int) {
        precondition(pixels.count == width * height && !pixels.isEmpty, "width × height pixels")
        precondition(1...9 ~= horizontal && 1...9 ~= vertical, "1 to 9 components in each direction")
        let light = pixels.map { SIMD3(SRGB.linear($0.red), SRGB.linear($0.green), SRGB.linear($0.blue)) }
        var components: [SIMD3<Double>] = []
        for j in 0..<vertical {
            let down = Self.wave(j, samples: height)
            for i in 0..<horizontal {
                let across = Self.wave(i, samples: width)
                var sum = SIMD3<Double>.zero
                for y in 0..<height {
                    for x in 0..<width { sum += light[y * width + x] * (across[x] * down[y]) }
                }
                components.append(sum * ((i == 0 && j == 0 ? 1 : 2) / Double(width * height)))
            }
        }
        let mean = RGB(SRGB.byte(components[0].x), SRGB.byte(components[0].y), SRGB.byte(components[0].z))
        let varying = components.dropFirst()
        let largest = varying.reduce(0) { max($0, abs($1.x), abs($1.y), abs($1.z)) }
        let scale = Int.clamping((largest * 166 - 0.5).rounded(.down), to: 0...82)
        let maximum = Double(scale + 1) / 166
        self.horizontal = horizontal
        self.vertical = vertical
        self.components = components
        average = mean
        text =
            Self.base83(horizontal - 1 + (vertical - 1) * 9, length: 1) + Self.base83(scale, length: 1)
            + Self.base83(Int(mean.value), length: 4)
            + varying.map { Self.base83(Self.quantised($0 / maximum), length: 2) }.joined()
    }

    private static func quantised(_ component: SIMD3<Double>) -> Int {
        [component.x, component.y, component.z].reduce(0) { sum, part in
            // The square root keeps small amplitudes apart; reading squares it again.
            let root = abs(part).squareRoot() * (part < 0 ? -1 : 1)
            return sum * 19 + Int.clamping((root * 9 + 9.5).rounded(.down), to: 0...18)
        }
    }

    private static func base83(_ value: Int, length: Int) -> String {
        var rest = value
        var digits: [UInt8] = []
        for _ in 0..<length {
            digits.append(alphabet[rest % 83])
            rest /= 83
        }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }
}

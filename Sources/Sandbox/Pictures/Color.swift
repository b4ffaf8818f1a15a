import Glibc
import Primitives

/// A colour in sRGB, each part in `0 ... 1`, gamma encoded as it stands in a picture.
struct Color: Sendable, Equatable {
    var red: Float
    var green: Float
    var blue: Float

    init(red: Float, green: Float, blue: Float) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// A colour from `0xRRGGBB`.
    init(_ hex: UInt32) {
        red = Float((hex >> 16) & 0xFF) / 255
        green = Float((hex >> 8) & 0xFF) / 255
        blue = Float(hex & 0xFF) / 255
    }

    /// The text of the upstream's `color`, such as `#d9c0a6`.
    var hexText: String {
        let digits = Array("0123456789abcdef")
        var text = "#"
        for part in [red, green, blue] {
            let byte = Int.clamping((part * 255).rounded(), to: 0...255)
            text.append(digits[byte >> 4])
            text.append(digits[byte & 0xF])
        }
        return text
    }

    /// Light of an encoded part: the sRGB transfer function (IEC 61966-2-1).
    static func linear(_ encoded: Float) -> Float {
        encoded <= 0.04045 ? encoded / 12.92 : powf((encoded + 0.055) / 1.055, 2.4)
    }

    /// The encoded part of a light; the inverse of `linear`, clamped to `0 ... 1`.
    static func encoded(_ linear: Float) -> Float {
        let light = min(max(linear, 0), 1)
        return light <= 0.0031308 ? light * 12.92 : 1.055 * powf(light, 1 / 2.4) - 0.055
    }
}

/// A colour in OKLab (Björn Ottosson, "A perceptual color space for image processing", 2020).
///
/// Skies are mixed here: halfway between orange and blue lies a rose, where a mix of the encoded parts gives grey.
struct PerceptualColor: Sendable {
    var lightness: Float
    var a: Float
    var b: Float

    init(lightness: Float, a: Float, b: Float) {
        self.lightness = lightness
        self.a = a
        self.b = b
    }

    init(_ color: Color) {
        let red = Color.linear(color.red)
        let green = Color.linear(color.green)
        let blue = Color.linear(color.blue)
        let long = cbrtf(0.41222146 * red + 0.53633255 * green + 0.051445995 * blue)
        let medium = cbrtf(0.2119035 * red + 0.6806995 * green + 0.10739696 * blue)
        let short = cbrtf(0.08830246 * red + 0.28171885 * green + 0.6299787 * blue)
        lightness = 0.21045426 * long + 0.7936178 * medium - 0.004072047 * short
        a = 1.9779985 * long - 2.4285922 * medium + 0.4505937 * short
        b = 0.025904037 * long + 0.78277177 * medium - 0.80867577 * short
    }

    var color: Color {
        var long = lightness + 0.39633778 * a + 0.21580376 * b
        var medium = lightness - 0.105561346 * a - 0.06385417 * b
        var short = lightness - 0.08948418 * a - 1.2914855 * b
        long = long * long * long
        medium = medium * medium * medium
        short = short * short * short
        return Color(
            red: Color.encoded(4.0767417 * long - 3.3077116 * medium + 0.23096994 * short),
            green: Color.encoded(-1.268438 * long + 2.6097574 * medium - 0.34131938 * short),
            blue: Color.encoded(-0.0041960863 * long - 0.7034186 * medium + 1.7076147 * short)
        )
    }

    /// The colour `fraction` of the way to `other`.
    func mixed(with other: PerceptualColor, _ fraction: Float) -> PerceptualColor {
        PerceptualColor(
            lightness: lightness + (other.lightness - lightness) * fraction,
            a: a + (other.a - a) * fraction,
            b: b + (other.b - b) * fraction
        )
    }
}

extension Color {
    /// The colour `fraction` of the way to `other`, mixed as the eye sees it.
    func mixed(with other: Color, _ fraction: Float) -> Color {
        PerceptualColor(self).mixed(with: PerceptualColor(other), fraction).color
    }

    /// The same colour turned by `degrees` around the colour circle and `factor` times as light.
    func varied(degrees: Float, lightness factor: Float) -> Color {
        var color = PerceptualColor(self)
        let angle = degrees * .pi / 180
        let (sine, cosine) = (sinf(angle), cosf(angle))
        (color.a, color.b) = (color.a * cosine - color.b * sine, color.a * sine + color.b * cosine)
        color.lightness = min(color.lightness * factor, 1)
        return color.color
    }
}

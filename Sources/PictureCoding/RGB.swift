import Glibc
import Primitives

package struct RGB: Sendable, Equatable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Reads `#rrggbb`, in either case.
    package init?(hex: String) {
        let digits = hex.utf8.dropFirst()
        guard hex.utf8.first == UInt8(ascii: "#"), digits.count == 6,
            hex.dropFirst().allSatisfy(\.isHexDigit), let value = UInt32(hex.dropFirst(), radix: 16)
        else { return nil }
        self.init(value)
    }

    /// A colour from `0xRRGGBB`; higher bits are ignored.
    package init(_ value: UInt32) {
        self.init(UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), UInt8(value & 255))
    }

    /// The colour as `0xRRGGBB`.
    package var value: UInt32 { UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

    /// Such as `#d9c0a6`.
    package var hexText: String {
        let digits = String(value, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}

/// The transfer function of sRGB (IEC 61966-2-1) between bytes and linear light.
package enum SRGB {
    /// From a byte to linear light, 0 to 1.
    package static func linear(_ byte: UInt8) -> Double { bytes[Int(byte)] }

    /// From linear light, clamped to 0 to 1, to the nearest byte.
    package static func byte(_ light: Double) -> UInt8 {
        let light = min(max(light, 0), 1)
        let encoded = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8(truncatingIfNeeded: Int.clamping(encoded * 255 + 0.5, to: 0...255))
    }

    private static let bytes = (0...255).map { byte in
        let encoded = Double(byte) / 255
        return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
    }
}

/// One pixel in sRGB.
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
        self.init(UInt8(value >> 16), UInt8(value >> 8 & 255), UInt8(value & 255))
    }
}

/// The transfer function of sRGB (IEC 61966-2-1), in the two directions that a blur needs.
///
/// The standard library has no `pow`. One direction is `x^2.4`, the twelfth power of a fifth root; the other ends in a
/// byte, and the byte is found among the 256 bounds that the first direction gives.
enum SRGB {
    /// From a byte to linear light, 0 to 1.
    static func linear(_ byte: UInt8) -> Double {
        bytes[Int(byte)]
    }

    /// From linear light, clamped to 0 to 1, to the nearest byte.
    static func byte(_ light: Double) -> UInt8 {
        // The greatest byte whose lower bound is not above `light`; below the first bound it is 0.
        var low = 0
        var high = 255
        while low < high {
            let middle = (low + high + 1) / 2
            if bounds[middle] <= light { low = middle } else { high = middle - 1 }
        }
        return UInt8(low)
    }

    private static let bytes = (0...255).map { linear(fraction: Double($0) / 255) }
    /// Where a byte begins: half a step below it.
    private static let bounds = (0...255).map { linear(fraction: max(0, (Double($0) - 0.5) / 255)) }

    private static func linear(fraction: Double) -> Double {
        if fraction <= 0.04045 { return fraction / 12.92 }
        let root = fifthRoot((fraction + 0.055) / 1.055)
        let square = root * root
        let fourth = square * square
        return fourth * fourth * fourth
    }

    /// Newton's iteration for `r^5 = value` from above, where it falls monotonically; `value` is in 0.09 to 1.
    private static func fifthRoot(_ value: Double) -> Double {
        var root = 1.0
        while true {
            let square = root * root
            let next = root - (root - value / (square * square)) / 5
            if next >= root { return root }
            root = next
        }
    }
}

/// The cosine of rational multiples of π, without a mathematics library.
enum Cosine {
    /// `cos(π n / d)` for `n` from 0 and `d` from 1.
    static func ofHalfTurns(_ n: Int, over d: Int) -> Double {
        // Whole turns fall away, the second half of a turn mirrors the first, the second quarter negates the first.
        var n = n % (2 * d)
        if n > d { n = 2 * d - n }
        if 2 * n > d { return -firstQuarter(d - n, d) }
        return firstQuarter(n, d)
    }

    /// The same for `0 ≤ n / d ≤ 1/2`; near its zero the cosine is the sine of the rest, where a series keeps its digits.
    private static func firstQuarter(_ n: Int, _ d: Int) -> Double {
        if 4 * n <= d {
            let x = Double.pi * Double(n) / Double(d)
            return series(x * x, from: 1)
        }
        let x = Double.pi * Double(d - 2 * n) / Double(2 * d)
        return x * series(x * x, from: 2)
    }

    /// The cosine for k = 1, the sine over x for k = 2.
    ///
    /// `1 - s/(k(k+1)) + s²/(k(k+1)(k+2)(k+3)) - …`; for x up to π/4 the tenth term is below 1e-19.
    private static func series(_ square: Double, from k: Int) -> Double {
        var sum = 1.0
        for term in stride(from: 9, through: 0, by: -1) {
            let first = Double(k + 2 * term)
            sum = 1 - sum * square / (first * (first + 1))
        }
        return sum
    }
}

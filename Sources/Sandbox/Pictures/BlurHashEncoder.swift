import Glibc
import Primitives

/// Encodes a picture as BlurHash (github.com/woltapp/blurhash, `Algorithm.md`).
///
/// A BlurHash is the beginning of a cosine transform: component `(i, j)` says how much of the picture, in linear light,
/// goes up and down `i` times across and `j` times down. The first component is the mean colour, kept exactly; the others
/// are rounded to 19 steps of a common maximum.
struct BlurHashEncoder {
    private let width: Int
    private let height: Int
    /// Red, green and blue of each pixel as light.
    private let light: [SIMD3<Float>]

    /// Takes `width × height` pixels of red, green and blue, row by row.
    init(pixels: [UInt8], width: Int, height: Int) {
        precondition(pixels.count == width * height * 3, "three bytes a pixel")
        self.width = width
        self.height = height
        light = stride(from: 0, to: pixels.count, by: 3).map { index in
            let red = Self.linear[Int(pixels[index])]
            let green = Self.linear[Int(pixels[index + 1])]
            let blue = Self.linear[Int(pixels[index + 2])]
            return SIMD3(red, green, blue)
        }
    }

    /// The mean colour, which is also what component (0, 0) says.
    var average: Color {
        let mean = component(0, 0)
        return Color(red: Color.encoded(mean.x), green: Color.encoded(mean.y), blue: Color.encoded(mean.z))
    }

    /// The hash of `componentsX × componentsY` components, each 1 to 9.
    func hash(componentsX: Int, componentsY: Int) -> String {
        precondition((1...9).contains(componentsX) && (1...9).contains(componentsY), "1 to 9 components a side")
        var components: [SIMD3<Float>] = []
        for j in 0..<componentsY {
            for i in 0..<componentsX { components.append(component(i, j)) }
        }
        let waves = components.dropFirst()
        let largest = waves.reduce(Float(0)) { max($0, abs($1.x), abs($1.y), abs($1.z)) }
        let quantised = waves.isEmpty ? 0 : Int.clamping((largest * 166 - 0.5).rounded(.down), to: 0...82)
        let maximum = waves.isEmpty ? 1 : Float(quantised + 1) / 166

        var hash = Self.base83(componentsX - 1 + (componentsY - 1) * 9, length: 1)
        hash += Self.base83(quantised, length: 1)
        hash += Self.base83(Self.packedMean(components[0]), length: 4)
        for wave in waves { hash += Self.base83(Self.packedWave(wave, maximum), length: 2) }
        return hash
    }

    private func component(_ i: Int, _ j: Int) -> SIMD3<Float> {
        let across = (0..<width).map { cosf(.pi * Float(i * $0) / Float(width)) }
        var sum = SIMD3<Float>(repeating: 0)
        for y in 0..<height {
            var row = SIMD3<Float>(repeating: 0)
            for x in 0..<width { row += light[y * width + x] * across[x] }
            sum += row * cosf(.pi * Float(j * y) / Float(height))
        }
        let normalisation: Float = i == 0 && j == 0 ? 1 : 2
        return sum * (normalisation / Float(width * height))
    }

    private static func packedMean(_ mean: SIMD3<Float>) -> Int {
        let parts = [mean.x, mean.y, mean.z].map { Int.clamping(Color.encoded($0) * 255 + 0.5, to: 0...255) }
        return parts[0] << 16 | parts[1] << 8 | parts[2]
    }

    private static func packedWave(_ wave: SIMD3<Float>, _ maximum: Float) -> Int {
        let parts = [wave.x, wave.y, wave.z].map { part in
            // A square root keeps the small waves apart; the decoder squares.
            let scaled = abs(part / maximum).squareRoot() * (part < 0 ? -1 : 1)
            return Int.clamping((scaled * 9 + 9.5).rounded(.down), to: 0...18)
        }
        return parts[0] * 361 + parts[1] * 19 + parts[2]
    }

    private static func base83(_ value: Int, length: Int) -> String {
        var digits: [Character] = []
        var rest = value
        for _ in 0..<length {
            digits.append(alphabet[rest % 83])
            rest /= 83
        }
        return String(digits.reversed())
    }

    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"
    )

    /// The light of each byte.
    private static let linear: [Float] = (0...255).map { Color.linear(Float($0) / 255) }
}

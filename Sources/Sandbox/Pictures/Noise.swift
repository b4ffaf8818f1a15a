import Primitives

/// Smooth randomness along a line: random heights at the whole numbers, a smooth curve between them.
struct LineNoise: Sendable {
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
    }

    /// The random height of whole number `cell`, in `0 ..< 1`.
    func height(_ cell: Int) -> Float {
        var mixed = seed ^ (UInt64(truncatingIfNeeded: cell) &* 0x9E37_79B9_7F4A_7C15)
        mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
        mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return Float((mixed ^ (mixed >> 32)) >> 40) * 0x1p-24
    }

    /// The curve at `x`, in `0 ..< 1`.
    func value(_ x: Float) -> Float {
        let floor = x.rounded(.down)
        let cell = Int.clamping(floor)
        let t = x - floor
        let eased = t * t * t * (t * (t * 6 - 15) + 10)
        let from = height(cell)
        return from + (height(cell &+ 1) - from) * eased
    }

    /// Several octaves of the curve, each of twice the frequency and `roughness` times the height; in `0 ..< 1`.
    func fractal(_ x: Float, octaves: Int, roughness: Float) -> Float {
        var (sum, total, weight, frequency): (Float, Float, Float, Float) = (0, 0, 1, 1)
        for octave in 0..<octaves {
            sum += value(x * frequency + Float(octave) * 17.31) * weight
            total += weight
            weight *= roughness
            frequency *= 2
        }
        return sum / total
    }

    /// Octaves folded at half height, which makes the sharp crests of mountains; in `0 ... 1`.
    func ridged(_ x: Float, octaves: Int, roughness: Float) -> Float {
        var (sum, total, weight, frequency): (Float, Float, Float, Float) = (0, 0, 1, 1)
        for octave in 0..<octaves {
            let folded = 1 - abs(value(x * frequency + Float(octave) * 9.7) * 2 - 1)
            sum += folded * weight
            total += weight
            weight *= roughness
            frequency *= 2.1
        }
        return sum / total
    }
}

/// Smooth randomness over a plane: a square tile that fits itself on all sides, made once and looked up per pixel.
struct NoiseTile: Sendable {
    /// Width and height of the tile; a power of two, so that wrapping is a mask.
    static let side = 128

    /// `side × side` values in `0 ... 1`, row by row.
    let values: [Float]

    /// Four octaves from `seed`.
    init(seed: UInt64) {
        let side = Self.side
        var field = [Float](repeating: 0, count: side * side)
        var random = SeededRandom(seed: seed)
        var (weight, total): (Float, Float) = (1, 0)
        for period in [8, 16, 32, 64] {
            let lattice = (0..<period * period).map { _ in random.unit() }
            let step = Float(period) / Float(side)
            for y in 0..<side {
                let v = Float(y) * step
                let (row, below) = (Int.clamping(v), (Int.clamping(v) + 1) % period)
                let ty = Self.eased(v - Float(row))
                for x in 0..<side {
                    let u = Float(x) * step
                    let (column, right) = (Int.clamping(u), (Int.clamping(u) + 1) % period)
                    let tx = Self.eased(u - Float(column))
                    let top = lattice[row * period + column]
                    let bottom = lattice[below * period + column]
                    let upper = top + (lattice[row * period + right] - top) * tx
                    let lower = bottom + (lattice[below * period + right] - bottom) * tx
                    field[y * side + x] += (upper + (lower - upper) * ty) * weight
                }
            }
            total += weight
            weight *= 0.55
        }
        values = field.map { $0 / total }
    }

    private static func eased(_ t: Float) -> Float { t * t * (3 - 2 * t) }
}

import Primitives

/// Value noise: random values at the whole coordinates of a plane, and a smooth surface between them.
struct Noise: Sendable {
    private let seed: UInt32

    init(_ random: inout SeededRandom) {
        seed = UInt32(truncatingIfNeeded: random.next())
    }

    /// The random value at whole coordinates, in `0 ..< 1`.
    func corner(_ x: Int, _ y: Int) -> Float {
        let (x, y) = (UInt32(truncatingIfNeeded: x), UInt32(truncatingIfNeeded: y))
        var mixed = seed &+ x &* 0x9E37_79B1 ^ y &* 0x85EB_CA77
        mixed = (mixed ^ mixed >> 15) &* 0x2C1B_3C6D
        mixed = (mixed ^ mixed >> 12) &* 0x297A_2D39
        return Float((mixed ^ mixed >> 15) >> 8) * 0x1p-24
    }

    /// The height of the surface at a point, in `0 ... 1`.
    func surface(_ x: Float, _ y: Float) -> Float {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        let (column, row) = (Int.clamping(Double(left)), Int.clamping(Double(top)))
        func eased(_ t: Float) -> Float { t * t * (3 - 2 * t) }
        func between(_ from: Float, _ to: Float, _ fraction: Float) -> Float { from + (to - from) * fraction }
        func line(_ row: Int) -> Float { between(corner(column, row), corner(column &+ 1, row), eased(x - left)) }
        return between(line(row), line(row &+ 1), eased(y - top))
    }

    /// The height of a curve at a point, in `0 ... 1`: octaves of twice the frequency and half the weight of the last;
    /// folded ones have sharp crests at half their height.
    func curve(_ x: Float, octaves: Int, isFolded: Bool = false) -> Float {
        var (sum, total, weight, position): (Float, Float, Float, Float) = (0, 0, 1, x)
        for octave in 0..<octaves {
            let value = surface(position, Float(octave))
            sum += weight * (isFolded ? 1 - abs(value * 2 - 1) : value)
            total += weight
            weight /= 2
            position *= 2
        }
        return sum / total
    }

    /// The height of a row of firs of random heights at a point.
    func firs(at x: Float) -> Float {
        let position = x * 24
        let cell = position.rounded(.down)
        return (0.3 + corner(Int.clamping(Double(cell)), 1000)) * (1 - 2 * abs(position - cell - 0.5))
    }
}

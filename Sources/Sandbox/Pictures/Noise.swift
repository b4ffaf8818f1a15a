import Primitives

/// Value noise: random values at the whole coordinates of a plane, and smooth curves and surfaces between them.
struct Noise: Sendable {
    private let seed: UInt32

    init(_ random: inout SeededRandom) {
        seed = UInt32(truncatingIfNeeded: random.next())
    }

    /// The random value at whole coordinates, in `0 ..< 1`.
    func corner(_ x: Int32, _ y: Int32) -> Float {
        var mixed = seed &+ UInt32(bitPattern: x) &* 0x9E37_79B1 ^ UInt32(bitPattern: y) &* 0x85EB_CA77
        mixed = (mixed ^ mixed >> 15) &* 0x2C1B_3C6D
        mixed = (mixed ^ mixed >> 12) &* 0x297A_2D39
        return Float((mixed ^ mixed >> 15) >> 8) * 0x1p-24
    }

    /// The curve of one row at a point, in `0 ... 1`: octaves of twice the frequency and half the weight of the last;
    /// folded ones have sharp crests at half their height.
    func curve(_ x: Float, octaves: Int, isFolded: Bool = false) -> Float {
        var (sum, total, weight, position): (Float, Float, Float, Float) = (0, 0, 1, x)
        for octave in 0..<octaves {
            let left = position.rounded(.down)
            let (column, row) = (Int32.clamping(Double(left)), Int32(truncatingIfNeeded: octave))
            let value = Self.between(corner(column, row), corner(column &+ 1, row), Self.eased(position - left))
            sum += weight * (isFolded ? 1 - abs(value * 2 - 1) : value)
            total += weight
            weight /= 2
            position *= 2
        }
        return sum / total
    }

    /// The height of two rows of firs of random heights, half a tree apart, at a point.
    func firs(at x: Float) -> Float {
        var height: Float = 0
        for row in 0..<2 {
            let position = x * 24 + Float(row) / 2
            let cell = position.rounded(.down)
            let size = corner(Int32.clamping(Double(cell)), 1000 + Int32(truncatingIfNeeded: row))
            height += max(0, (0.3 + 0.7 * size) * (1 - 2 * abs(position - cell - 0.5)))
        }
        return height
    }

    private static func eased(_ t: Float) -> Float { t * t * (3 - 2 * t) }

    private static func between(_ from: Float, _ to: Float, _ fraction: Float) -> Float {
        from + (to - from) * fraction
    }

    /// The surface at the height `y` of the plane, at each of `columns` points from `start` on, in `0 ... 1`.
    func row(y: Float, from start: Float, step: Float, columns: Int, octaves: Int = 1) -> [Float] {
        var row = [Float](repeating: 0, count: columns)
        var (weight, scale): (Float, Float) = (1 / (2 - 1 / Float(1 << (octaves - 1))), 1)
        for _ in 0..<octaves {
            let (top, left) = ((y * scale).rounded(.down), (start * scale).rounded(.down))
            let (line, down) = (Int32.clamping(Double(top)), Self.eased(y * scale - top))
            var cell = Int32.clamping(Double(left))
            func height() -> Float { Self.between(corner(cell, line), corner(cell, line &+ 1), down) }
            var from = height()
            cell &+= 1
            var to = height()
            var position = start * scale - left
            for column in row.indices {
                while position >= 1 {
                    position -= 1
                    cell &+= 1
                    (from, to) = (to, height())
                }
                row[column] += weight * Self.between(from, to, Self.eased(position))
                position += step * scale
            }
            weight /= 2
            scale *= 2
        }
        return row
    }
}

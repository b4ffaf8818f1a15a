/// Two ends of an interpolation, in this order; the second may be the lesser.
struct Bounds: Sendable, Equatable {
    let first: Double
    let second: Double

    init(_ first: Double, _ second: Double) {
        self.first = first
        self.second = second
    }

    var reversed: Bounds { Bounds(second, first) }
}

extension Double {
    /// Maps from one interval onto another and clamps at both ends (AirBar: `map(from:to:)`).
    ///
    /// The guards come before the division, so equal bounds answer the first end and never divide by zero.
    func mapped(from source: Bounds, to target: Bounds) -> Double {
        guard self > source.first else { return target.first }
        guard self < source.second else { return target.second }
        let ratio = (self - source.first) / (source.second - source.first)
        return target.first + ratio * (target.second - target.first)
    }
}

import Primitives

/// A run of colours along `0 ... 1`, mixed in OKLab once and read often: a row of sky costs a table look-up.
struct ColorRamp: Sendable {
    private let table: [Color]

    /// Mixes `stops`, whose positions rise; colours before the first and after the last go on unchanged.
    init(_ stops: [(position: Float, color: Color)]) {
        let lab = stops.map { (position: $0.position, color: PerceptualColor($0.color)) }
        let last = Self.steps
        table = (0...last).map { step in
            let position = Float(step) / Float(last)
            guard let next = lab.firstIndex(where: { $0.position > position }) else {
                return lab[lab.count - 1].color.color
            }
            guard next > 0 else { return lab[0].color.color }
            let (from, to) = (lab[next - 1], lab[next])
            return from.color.mixed(with: to.color, (position - from.position) / (to.position - from.position)).color
        }
    }

    private static let steps = 48

    /// The colour at `position`; positions outside `0 ... 1` give the ends.
    func color(at position: Float) -> Color {
        let scaled = min(max(position, 0), 1) * Float(Self.steps)
        let index = Int.clamping(scaled, to: 0...Self.steps - 1)
        let fraction = scaled - Float(index)
        let (from, to) = (table[index], table[index + 1])
        return Color(
            red: from.red + (to.red - from.red) * fraction,
            green: from.green + (to.green - from.green) * fraction,
            blue: from.blue + (to.blue - from.blue) * fraction
        )
    }
}

/// The room that a polyline has: a curve with a margin above and below, sampled.
///
/// Between two samples a curve leaves its chord by at most h² |x''| / 8. The margin is narrower by that much, so that
/// what is inside at the samples is inside everywhere.
struct Corridor {
    /// Columns of printable positions, from 0 to this one.
    let columns: Int
    /// Samples to a column: between two printable positions the polyline is held to the curve as well.
    let density: Int
    /// Lower and upper limit at every sample.
    let lower: [Double]
    let upper: [Double]

    /// The corridor around `curve` over `duration` seconds.
    init(_ curve: SpringCurve, duration: Double, margin: Double, columns: Int, density: Int) {
        self.columns = columns
        self.density = density
        let count = columns * density
        let interval = duration / Double(count)
        let frequency = curve.spring.naturalFrequency
        let states = (0...count).map { curve.state(at: interval * Double($0)) }
        let bends = states.map { state in
            abs(frequency * frequency * (1 - state.position) - 2 * curve.spring.decayRate * state.velocity)
        }
        let rooms = states.indices.map { index in
            // The largest |x''| nearby, and a tenth for what lies between: a sine does not change faster.
            let bend = 1.1 * max(bends[max(index - 1, 0)], bends[index], bends[min(index + 1, count)])
            return margin - interval * interval * bend / 8
        }
        lower = zip(states, rooms).map { $0.position - $1 }
        upper = zip(states, rooms).map { $0.position + $1 }
    }
}

/// The region that a polyline may use: a sampled curve with a margin above and below.
///
/// Between two samples a curve leaves its chord. The margin is narrowed by that distance, so a polyline that is inside
/// at the samples is inside everywhere.
struct Corridor {
    /// The number of grid steps from start to end; samples lie on some of them.
    let steps: Int
    /// Grid steps between two printable positions.
    let stepsToColumn: Int
    /// The positions of the samples in steps, ascending from 0 to `steps`.
    let positions: [Int]
    let lower: [Double]
    let upper: [Double]

    /// Creates the corridor around `curve` over `duration` seconds, with `density` samples to each printable position.
    ///
    /// Without a density the columns are as dense as the bends of the curve require, at most ten steps apart. A piece of
    /// a polyline spans about sixteen of them or more. Where the curve is flatter, finer ones save no stop.
    init(_ curve: SpringCurve, duration: Double, margin: Double, columns: Int, density: Int? = nil) {
        stepsToColumn = density ?? 1
        steps = columns * stepsToColumn
        let trace = Trace(curve, interval: duration / Double(steps))
        let strides = density == nil ? [10, 5, 2, 1] : [1]
        var samples = [trace.sample(0)]
        for _ in 0..<steps {
            guard let last = samples.last, last.position < steps else { break }
            for step in strides where last.position % step == 0 && last.position + step <= steps {
                let next = trace.sample(last.position + step)
                // A piece spans 4 √(margin / |x''|), and the sag below it is h² |x''| / 8.
                guard step == 1 || trace.sag(last, next) <= margin / 128 else { continue }
                samples.append(next)
                break
            }
        }
        let sags = zip(samples, samples.dropFirst()).map(trace.sag)
        let margins = samples.indices.map { index in
            margin - max(index == 0 ? 0 : sags[index - 1], index == sags.count ? 0 : sags[index])
        }
        positions = samples.map(\.position)
        lower = zip(samples, margins).map { $0.value - $1 }
        upper = zip(samples, margins).map { $0.value + $1 }
    }

    private struct Trace {
        let curve: SpringCurve
        let interval: Double
        /// The times at which the curve is steepest.
        private let turns: (first: Double, interval: Double?)?

        init(_ curve: SpringCurve, interval: Double) {
            self.curve = curve
            self.interval = interval
            turns = curve.speed.turns
        }

        struct Sample {
            let position: Int
            let value: Double
            let slope: Double
            let bend: Double
        }

        func sample(_ position: Int) -> Sample {
            let state = curve.state(at: interval * Double(position))
            let spring = curve.spring
            let pull = spring.naturalFrequency * spring.naturalFrequency * (1 - state.position)
            return Sample(
                position: position,
                value: state.position,
                slope: state.velocity,
                bend: pull - 2 * spring.decayRate * state.velocity
            )
        }

        /// Returns an upper bound for the distance between the curve and its chord, between two samples.
        func sag(_ start: Sample, _ end: Sample) -> Double {
            let time = interval * Double(end.position - start.position)
            // h² |x''| / 8, plus a tenth because x'' varies between the samples.
            let parabola = 1.1 * time * time * max(abs(start.bend), abs(end.bend)) / 8
            guard let slopes = slopes(from: start, to: end) else { return parabola }
            // A curve with these slopes is furthest from its chord if it leaves with one and returns with the other.
            // This bound is much smaller right after the start of an overdamped spring, where x'' is briefly large.
            let chord = (end.value - start.value) / time
            let (fall, rise) = (max(0, chord - slopes.lowerBound), max(0, slopes.upperBound - chord))
            return fall + rise > 0 ? min(parabola, time * fall * rise / (fall + rise)) : 0
        }

        /// Returns the range of slopes between two samples; nil if the curve turns more than once between them.
        private func slopes(from start: Sample, to end: Sample) -> ClosedRange<Double>? {
            let least = min(start.slope, end.slope)
            let most = max(start.slope, end.slope)
            guard let turns else { return least...most }
            let begin = interval * Double(start.position)
            var turn = turns.first
            if let period = turns.interval { turn += period * max(0, ((begin - turn) / period).rounded(.up)) }
            let finish = interval * Double(end.position)
            guard begin < turn, turn < finish else { return least...most }
            if let period = turns.interval, turn + period < finish { return nil }
            let extreme = curve.state(at: turn).velocity
            return min(least, extreme)...max(most, extreme)
        }
    }
}

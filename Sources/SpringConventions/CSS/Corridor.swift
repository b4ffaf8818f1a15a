package import Motion

/// The region that a polyline may use: a sampled curve with a margin above and below.
///
/// The margin is narrowed by the sag of the curve between samples, so a polyline inside at the samples is so everywhere.
package struct Corridor {
    /// The number of grid steps from start to end; samples lie on some of them.
    let steps: Int
    /// Grid steps between two printable positions.
    let stepsToColumn: Int
    /// The positions of the samples in steps, ascending from 0 to `steps`.
    package let positions: [Int]
    let lower: [Double]
    let upper: [Double]

    /// Creates the corridor around `curve` over `duration` seconds, with `density` samples to each printable position.
    ///
    /// Without a density they are as dense as the bends of the curve require: where it is flat, finer ones save no stop.
    package init(_ curve: SpringCurve, duration: Double, margin: Double, columns: Int, density: Int? = nil) {
        stepsToColumn = density ?? 1
        steps = columns * stepsToColumn
        let perStep = duration / Double(steps)
        func value(_ step: Double) -> Double { curve.position(at: perStep * step) }
        func sag(from start: Int, _ low: Double, to end: Int, _ high: Double) -> Double {
            func distance(_ share: Double) -> Double {
                abs(value(Double(start) + share * Double(end - start)) - low - share * (high - low))
            }
            // A curve that bends one way is no further from its chord than 4/3 of this.
            return 4 / 3 * max(distance(0.25), distance(0.5), distance(0.75))
        }
        let strides = density == nil ? [10, 5, 2, 1] : [1]
        var (positions, values) = ([0], [value(0)])
        var sags: [Double] = []
        while let last = positions.last, last < steps {
            // A piece spans 4 √(margin / |x''|), and the sag below it is h² |x''| / 8.
            for step in strides where last % step == 0 && last + step <= steps {
                let end = value(Double(last + step))
                let sag = sag(from: last, values[sags.count], to: last + step, end)
                if step > 1 && sag > margin / 128 { continue }
                positions.append(last + step)
                values.append(end)
                sags.append(sag)
                break
            }
        }
        let margins = zip([0] + sags, sags + [0]).map { margin - max($0, $1) }
        self.positions = positions
        lower = zip(values, margins).map { $0 - $1 }
        upper = zip(values, margins).map { $0 + $1 }
    }
}

import Glibc
import Motion
import Primitives

/// The marks of a time axis: multiples of 1, 2 or 5 of a power of ten, four to ten of them.
struct PlotTicks {
    /// A mark and its text.
    struct Mark {
        /// Seconds.
        let time: Double
        let label: String
    }

    let marks: [Mark]

    /// The marks from 0 to `duration`, which is in seconds, above 0 and finite.
    init(duration: Double) {
        let exponent = Int.clamping(log10(duration / 4).rounded(.down), to: -300...300)
        let unit = pow(10, Double(exponent))
        let step = [5.0, 2, 1].first { duration / ($0 * unit) >= 4 }.map { $0 * unit } ?? unit
        // As many decimals as tell one mark from the next, whatever the size of the step.
        let places = max(0, -exponent)
        marks = (0...Int.clamping(duration / step, to: 0...50)).map { index in
            let time = Double(index) * step
            return Mark(time: time, label: "\(time.fixed(places: places)) s")
        }
    }

    /// Whether the texts are too long to stand at every mark.
    var isDense: Bool {
        let longest = marks.map(\.label.count).max() ?? 0
        return longest * marks.count > 84
    }
}

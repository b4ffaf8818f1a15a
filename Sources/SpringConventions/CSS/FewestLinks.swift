import Motion
import Primitives

/// Finds the polyline with the fewest printable stops through a corridor.
///
/// The ends of a piece may lie anywhere in the corridor, not only on the curve. This halves the error of a piece and
/// saves three stops of ten. The candidates are all printable points of the corridor: columns of positions, each with a
/// few values. They form a graph in which two points are linked if the straight line between them stays inside.
/// Breadth-first search finds the path with the fewest links and reaches each point once.
///
/// One sweep to the right finds all links of a point. The lines from the point that are still inside form a cone. Its
/// bounds are the steepest slope to a lower limit so far and the flattest slope to an upper limit. Points of the next
/// column that lie in the cone are linked. The sweep ends when the cone is empty.
///
/// The sweeps visit up to twenty million columns for a curve, so each has its unreached points as the bits of one word.
struct FewestLinks {
    private let corridor: Corridor
    /// The index of each column among the samples, from start to end.
    private let samples: [Int]
    /// The distance between two candidates of a column, in units of the last printed decimal.
    private let stride: Int
    /// The first candidate of each column in units, and the index of its first point among all points.
    private let first: [Int]
    private let start: [Int]
    /// The lower limit and the negated upper limit at every sample, in units, so that the maximum narrows both.
    private let limits: [SIMD2<Double>]
    /// The quotients 1 / n; a division for every sample of every sweep would dominate the run time.
    private let reciprocals: [Double]

    /// Lists the candidates: multiples of `stride` units of the last printed decimal, at most 64 in a column.
    init(corridor: Corridor, unit: Double, stride: Int, least: Double) {
        (self.corridor, self.stride) = (corridor, stride)
        samples = corridor.positions.indices.filter { corridor.positions[$0] % corridor.stepsToColumn == 0 }
        var (first, start): ([Int], [Int]) = ([], [0])
        let step = unit * Double(stride)
        for (column, sample) in samples.enumerated() {
            var lowest = Self.whole(max(corridor.lower[sample], least) / step, .up) * stride
            var highest = Self.whole(corridor.upper[sample] / step, .down) * stride
            // The first and the last value are fixed, because an easing that does not end at 1 jumps.
            if column == 0 || column == samples.count - 1 {
                lowest = column == 0 ? 0 : Self.whole(1 / unit, .toNearestOrEven)
                highest = lowest
            }
            first.append(lowest)
            start.append(start[column] + max(0, (highest - lowest) / stride + 1))
        }
        (self.first, self.start) = (first, start)
        limits = corridor.lower.indices.map { SIMD2(corridor.lower[$0] / unit, -corridor.upper[$0] / unit) }
        reciprocals = (0...corridor.steps).map { 1 / Double($0) }
    }

    /// Returns a value in units, clamped to the integers that a double holds exactly.
    private static func whole(_ value: Double, _ rule: FloatingPointRoundingRule) -> Int {
        Int.clamping(value.rounded(rule), to: -1 << 50...1 << 50)
    }

    private struct Progress {
        /// The predecessor of every point; -1 if it is not reached.
        var parents: [Int32]
        /// The unreached points of every column, one bit each.
        var missing: [UInt64]
        var reached: [(column: Int, point: Int)] = []
        /// The number of samples that the sweeps may still visit.
        var work: Int
    }

    struct TooMuchWork: Error {}

    /// Returns the stops of the path with the fewest links; nil if no path exists, or throws after `work` samples.
    func stops(work: Int) throws(TooMuchWork) -> [LinearEasing.Stop]? {
        let last = start[samples.count] - 1
        var progress = Progress(
            parents: [Int32](repeating: -1, count: last + 1),
            missing: samples.indices.map { column in
                let size = start[column + 1] - start[column]
                precondition(size <= UInt64.bitWidth, "a column must not have more values than a word has bits")
                return size == UInt64.bitWidth ? .max : 1 << UInt64(size) - 1
            },
            work: work
        )
        var layer = [(column: 0, point: 0)]
        // A path has at most one stop in each column.
        for _ in samples where !layer.isEmpty {
            progress.reached.removeAll(keepingCapacity: true)
            for (column, point) in layer {
                sweep(from: point, in: column, &progress)
                if progress.parents[last] >= 0 { return path(to: last, progress.parents) }
                if progress.work < 0 { throw TooMuchWork() }
            }
            swap(&layer, &progress.reached)
        }
        return nil
    }

    /// Marks every unreached point that is linked to `point` as reached.
    private func sweep(from point: Int, in column: Int, _ progress: inout Progress) {
        let value = Double(first[column] + (point - start[column]) * stride)
        let origin = SIMD2(value, -value)
        let perStride = 1 / Double(stride)
        // The cone: the lowest slope and the negated highest slope, in units per sample.
        var cone = SIMD2<Double>(repeating: -.infinity)
        var sample = samples[column]
        let here = corridor.positions[sample]
        var distance = 0
        defer { progress.work -= sample - samples[column] }
        for other in (column + 1)..<samples.count {
            let end = samples[other]
            while sample < end {
                sample += 1
                distance = corridor.positions[sample] - here
                let slopes = (limits[sample] - origin) * reciprocals[distance]
                cone.replace(with: slopes, where: slopes .> cone)
            }
            guard cone.x + cone.y <= 0 else { return }
            let missing = progress.missing[other]
            guard missing != 0 else { continue }
            let base = Double(first[other])
            // A line through a limit counts as inside even if rounding places it slightly outside.
            let low = (value + cone.x * Double(distance) - base) * perStride - 1e-9
            let high = (value - cone.y * Double(distance) - base) * perStride + 1e-9
            guard low <= 63, high >= 0 else { continue }
            var hit = missing & (UInt64.max << UInt64.clamping(max(0, low).rounded(.up), to: 0...63))
            if high < 63 { hit &= UInt64.max >> UInt64(63 - Int.clamping(high, to: 0...63)) }
            guard hit != 0 else { continue }
            progress.missing[other] = missing & ~hit
            while hit != 0 {
                let target = start[other] + hit.trailingZeroBitCount
                progress.parents[target] = Int32(point)
                progress.reached.append((other, target))
                hit &= hit - 1
            }
        }
    }

    private func path(to last: Int, _ parents: [Int32]) -> [LinearEasing.Stop] {
        var stops: [LinearEasing.Stop] = []
        var (point, column) = (last, samples.count - 1)
        // Each stop is in an earlier column than its successor.
        for _ in samples {
            while start[column] > point { column -= 1 }
            let position = corridor.positions[samples[column]] / corridor.stepsToColumn
            stops.append(.init(position: position, value: first[column] + (point - start[column]) * stride))
            if point == 0 { break }
            point = Int(parents[point])
        }
        return stops.reversed()
    }
}

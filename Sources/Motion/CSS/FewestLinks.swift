import Primitives

/// The polyline of fewest stops through a corridor, over stops that can be printed.
///
/// A piece of the polyline may lie anywhere in the corridor, its ends need not be on the curve. That halves the error
/// of a piece against one between points of the curve, and saves three stops of ten. So the stops are looked for among
/// all printable points of the corridor, columns of positions and in each a few values: a graph in which two points
/// are linked when the straight line between them stays inside. The path of fewest links is found layer by layer,
/// as in any unweighted graph, each point being reached once.
///
/// The links of a point are found in one sweep to the right. The lines from it that are still inside form a cone,
/// bounded by the steepest lower and the flattest upper limit met so far; what lies in the cone in the next column is
/// linked, and when the cone closes, the sweep ends. Rounding is part of the optimum: it never comes afterwards.
///
/// The sweeps are all of the work, up to twenty million columns for one curve. So a column keeps the points that no
/// sweep has reached yet as the bits of one word, and a sweep that finds none there only narrows its cone.
struct FewestLinks {
    private let corridor: Corridor
    /// What a column's number is among the samples, from the start to the end.
    private let samples: [Int]
    /// Every how many units of the last printed decimal there is a candidate.
    private let stride: Int
    /// The first candidate of every column in units, and where its points begin among all points.
    private let first: [Int]
    private let start: [Int]
    /// At every sample the lower limit and the negative upper one, in units: both are narrowed by taking the larger.
    private let limits: [SIMD2<Double>]
    /// 1 / n: a division for every sample of every sweep would be most of the work.
    private let reciprocals: [Double]
    private let isInsideAtEnds: Bool

    /// - Parameters:
    ///   - corridor: where the polyline may be.
    ///   - unit: the value of the last printed decimal.
    ///   - stride: every how many units a stop may be; so many that a column has at most 64 of them.
    ///   - least: the least value of a stop.
    init(corridor: Corridor, unit: Double, stride: Int, least: Double) {
        self.corridor = corridor
        samples = corridor.positions.indices.filter { corridor.positions[$0] % corridor.stepsToColumn == 0 }
        self.stride = stride
        var first: [Int] = []
        var start = [0]
        let last = samples.count - 1
        for (column, sample) in samples.enumerated() {
            // The ends are fixed: an easing that does not end at 1 jumps.
            let fixed = column == 0 ? 0.0 : column == last ? 1.0 : nil
            let low = fixed ?? max(corridor.lower[sample], least)
            let high = fixed ?? corridor.upper[sample]
            let step = unit * Double(stride)
            let lowest = fixed == nil ? Self.whole(low / step, .up) * stride : Self.whole(low / unit, .toNearestOrEven)
            let highest = fixed == nil ? Self.whole(high / step, .down) * stride : lowest
            first.append(lowest)
            start.append(start[column] + max(0, (highest - lowest) / stride + 1))
        }
        self.first = first
        self.start = start
        limits = corridor.lower.indices.map { SIMD2(corridor.lower[$0] / unit, -corridor.upper[$0] / unit) }
        reciprocals = (0...corridor.steps).map { 1 / Double($0) }
        let end = corridor.lower.count - 1
        isInsideAtEnds =
            corridor.lower[0] <= 0 && corridor.upper[0] >= 0 && corridor.lower[end] <= 1 && corridor.upper[end] >= 1
    }

    /// A value in units, within what a double counts exactly.
    private static func whole(_ value: Double, _ rule: FloatingPointRoundingRule) -> Int {
        Int.clamping(value.rounded(rule), to: -1 << 50...1 << 50)
    }

    /// What a search has come to.
    private struct Progress {
        /// For every point the one it was reached from.
        var parents: [Int32]
        /// For every column the points that were not reached yet, one bit each.
        var missing: [UInt64]
        /// The points of the next layer.
        var reached: [(column: Int, point: Int)] = []
        /// How many more samples the sweeps may look at.
        var work: Int
    }

    /// How many samples the sweeps of one search may look at: a quarter of a second's worth, and several times what the
    /// worst curve found needs.
    static let work = 150_000_000

    /// What a search finds.
    enum SearchResult: Equatable {
        /// The stops of the path of fewest links.
        case stops([LinearEasing.Stop])
        /// There is no path, as when the curve swings faster than stops can be printed.
        case none
        /// The search was given up after `work` samples.
        case tooMuchWork
    }

    /// Searches the path; the sweeps may look at `work` samples.
    func search(work: Int) -> SearchResult {
        guard isInsideAtEnds else { return .none }
        let last = start[samples.count] - 1
        var progress = Progress(
            parents: [Int32](repeating: -1, count: last + 1),
            missing: samples.indices.map { column in
                let size = start[column + 1] - start[column]
                precondition(size <= UInt64.bitWidth, "more values in a column than bits in a word")
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
                if progress.parents[last] >= 0 { return .stops(path(to: last, progress.parents)) }
                if progress.work < 0 { return .tooMuchWork }
            }
            swap(&layer, &progress.reached)
        }
        return .none
    }

    /// Reaches every point that is linked to `point` and was not reached before.
    private func sweep(from point: Int, in column: Int, _ progress: inout Progress) {
        let value = Double(first[column] + (point - start[column]) * stride)
        let origin = SIMD2(value, -value)
        let perStride = 1 / Double(stride)
        // The cone: the flattest slope and the negative steepest one, in units per sample.
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
            // A line through a limit is inside, also when rounding puts it next to it.
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
        var point = last
        var column = samples.count - 1
        // Every stop is in a column before that of the one that it was reached from.
        for _ in samples {
            while start[column] > point { column -= 1 }
            stops.append(
                LinearEasing.Stop(
                    position: corridor.positions[samples[column]] / corridor.stepsToColumn,
                    value: first[column] + (point - start[column]) * stride
                )
            )
            if point == 0 { break }
            point = Int(parents[point])
        }
        return stops.reversed()
    }
}

import Glibc

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
struct FewestLinks {
    private let corridor: Corridor
    /// What a value's unit is worth, and every how many units there is a candidate.
    private let unit: Double
    private let stride: Int
    /// The first candidate of every column in units, and where its points begin among all points.
    private let first: [Int]
    private let start: [Int]
    /// 1 / n: a division for every sample of every sweep would be most of the work.
    private let reciprocals: [Double]

    /// - Parameters:
    ///   - corridor: where the polyline may be.
    ///   - unit: the value of the last printed decimal.
    ///   - stride: every how many units a stop may be.
    ///   - least: the least value of a stop.
    init(corridor: Corridor, unit: Double, stride: Int, least: Double) {
        self.corridor = corridor
        self.unit = unit
        self.stride = stride
        var first: [Int] = []
        var start = [0]
        for column in 0...corridor.columns {
            let sample = column * corridor.density
            // The ends are fixed: an easing that does not end at 1 jumps.
            let fixed = column == 0 ? 0.0 : column == corridor.columns ? 1.0 : nil
            let low = fixed ?? max(corridor.lower[sample], least)
            let high = fixed ?? corridor.upper[sample]
            let step = unit * Double(stride)
            let lowest = fixed == nil ? Int((low / step).rounded(.up)) * stride : Int((low / unit).rounded())
            let highest = fixed == nil ? Int((high / step).rounded(.down)) * stride : lowest
            first.append(lowest)
            start.append(start[column] + max(0, (highest - lowest) / stride + 1))
        }
        reciprocals = (0...corridor.columns * corridor.density).map { 1 / Double($0) }
        self.first = first
        self.start = start
    }

    /// The stops of the path; nil when there is none, as when the curve swings faster than stops can be printed.
    func stops() -> [LinearEasing.Stop]? {
        let count = start[corridor.columns + 1]
        let end = corridor.columns * corridor.density
        guard corridor.lower[0] <= 0, corridor.upper[0] >= 0, corridor.lower[end] <= 1, corridor.upper[end] >= 1 else {
            return nil
        }
        let last = count - 1
        var parents = [Int32](repeating: -1, count: count)
        parents[0] = 0
        var layer = [(column: 0, point: 0)]
        while !layer.isEmpty, parents[last] < 0 {
            var next: [(column: Int, point: Int)] = []
            for (column, point) in layer {
                sweep(from: point, in: column, parents: &parents, reached: &next)
                if parents[last] >= 0 { break }
            }
            layer = next
        }
        return parents[last] < 0 ? nil : path(to: last, parents)
    }

    /// Reaches every point that is linked to `point` and was not reached before.
    private func sweep(
        from point: Int,
        in column: Int,
        parents: inout [Int32],
        reached: inout [(column: Int, point: Int)]
    ) {
        let origin = Double(first[column] + (point - start[column]) * stride) * unit
        let step = unit * Double(stride)
        let density = corridor.density
        // The cone, in slopes per sample.
        var flattest = -Double.infinity
        var steepest = Double.infinity
        let here = column * density
        var sample = here
        for other in (column + 1)..<(corridor.columns + 1) {
            for _ in 0..<density {
                sample += 1
                let reciprocal = reciprocals[sample - here]
                let low = (corridor.lower[sample] - origin) * reciprocal
                let high = (corridor.upper[sample] - origin) * reciprocal
                if low > flattest { flattest = low }
                if high < steepest { steepest = high }
            }
            guard flattest <= steepest else { return }
            let size = start[other + 1] - start[other]
            guard size > 0 else { continue }
            let base = Double(first[other]) * unit
            let distance = Double(sample - here)
            // A line through a limit is inside, also when rounding puts it next to it.
            let low = ((origin + flattest * distance - base) / step - 1e-9).rounded(.up)
            let high = ((origin + steepest * distance - base) / step + 1e-9).rounded(.down)
            let lowest = max(0, low)
            let highest = min(Double(size - 1), high)
            guard lowest <= highest else { continue }
            for target in (start[other] + Int(lowest))...(start[other] + Int(highest)) where parents[target] < 0 {
                parents[target] = Int32(point)
                reached.append((other, target))
            }
        }
    }

    private func path(to last: Int, _ parents: [Int32]) -> [LinearEasing.Stop] {
        var stops: [LinearEasing.Stop] = []
        var point = last
        var column = corridor.columns
        while true {
            while start[column] > point { column -= 1 }
            stops.append(
                LinearEasing.Stop(position: column, value: first[column] + (point - start[column]) * stride)
            )
            if point == 0 { return stops.reversed() }
            point = Int(parents[point])
        }
    }
}

package import Motion
import Primitives

extension SpringCurve {
    /// The largest distance between two curves as a share of the travel, and its time in seconds.
    package typealias Distance = (maximum: Double, time: Double)

    /// Returns the largest distance to `other`, or to what is drawn of it if that ends at the target.
    ///
    /// Of curves that oscillate for thousands of periods at unrelated rates, the error is below a thousandth.
    package func distance(to other: SpringCurve, isClamped: Bool = false) -> Distance {
        guard self != other || isClamped else { return (0, 0) }
        return DistanceSearch(self, other, isClamped).result
    }
}

/// The search for the largest distance between two curves.
///
/// First it samples the distance: 24 points a period of either curve, until the curve is at rest or a hundred periods
/// have passed, and growing steps during the slow approach of an overdamped curve. If a curve oscillates longer, coarse
/// times follow, each 3 % later than the one before, with one period of the fast curve at each of them.
///
/// Then the neighbourhoods of the largest distances are refined to the last digit. All take at most 20 000 evaluations.
private struct DistanceSearch {
    let one: SpringCurve
    let other: SpringCurve
    private let isClamped: Bool
    /// The period of the faster curve, the time from which only coarse steps follow, and that of rest, in seconds.
    private let period: Double
    private let start: Double
    private let end: Double

    private static let pointsPerPeriod = 24
    private static let periods = 100
    private static let growth = 1.03

    init(_ one: SpringCurve, _ other: SpringCurve, _ isClamped: Bool) {
        (self.one, self.other, self.isClamped) = (one, other, isClamped)
        period = min(one.spring.response, other.spring.response)
        start = Double(Self.periods) * period
        end = max(Self.rest(of: one), Self.rest(of: other))
    }

    var result: SpringCurve.Distance {
        let times = moments()
        var gaps: [Double] = []
        gaps.reserveCapacity(times.count)
        var largest = 0.0
        for (index, time) in times.enumerated() {
            gaps.append(gap(time))
            largest = max(largest, gaps[index])
            // The largest amplitudes together bound the rest. They are tested rarely because they cost as much as a sample.
            let rest = { one.remaining.largest(from: time) + other.remaining.largest(from: time) }
            if index % 64 == 63, rest() < largest { break }
        }
        return refined(times, gaps, largest)
    }

    private func gap(_ time: Double) -> Double { abs(difference(at: time).displacement) }

    /// Returns the difference of the distances to the target, and its derivative.
    private func difference(at time: Double) -> (displacement: Double, rate: Double) {
        let aimed = one.remaining.state(at: time)
        let drawn = other.remaining.state(at: time)
        if isClamped, drawn.displacement < 0 { return aimed }
        return (aimed.displacement - drawn.displacement, aimed.rate - drawn.rate)
    }

    /// Returns the time of the largest distance between two times, between which it grows and then falls.
    private func crest(between start: Double, and end: Double) -> Double {
        bisect(start, end) { time in
            let (displacement, rate) = difference(at: time)
            return displacement * rate > 0
        }
    }

    /// Returns the time in seconds from which a curve is within a millionth of its target.
    private static func rest(of curve: SpringCurve) -> Double {
        min(curve.settlingTime(epsilon: 1e-6) ?? .infinity, SpringRange.settlingTimes.upper)
    }

    /// Returns the times to sample in seconds, ascending and distinct.
    private func moments() -> [Double] {
        var times = features(of: one) + features(of: other)
        // Only a fast curve that still oscillates needs samples between times that are further apart.
        let fast = one.spring.response <= other.spring.response ? one : other
        if fast.spring.dampingRatio < 1, Self.rest(of: fast) > start {
            let slow = max(one.spring.response, other.spring.response)
            let steps = (0..<8 * Self.pointsPerPeriod).map { slow * Double($0) / Double(Self.pointsPerPeriod) }
            for time in steps + growing(from: start, to: end, by: Self.growth) where time >= start && time < end {
                times += (0...12).map { time + period * Double($0) / 12 }
            }
        }
        return times.sorted().reduce(into: []) { distinct, time in
            // An interval between two equal times would be empty.
            if time > (distinct.last ?? -.infinity) + 1e-9 * time { distinct.append(time) }
        }
    }

    /// Returns the times in seconds between which a curve is smooth.
    private func features(of curve: SpringCurve) -> [Double] {
        let step = curve.spring.response / Double(Self.pointsPerPeriod)
        let rest = Self.rest(of: curve)
        let points = Self.pointsPerPeriod...Self.periods * Self.pointsPerPeriod
        let count = Int.clamping((rest / step).rounded(.up), to: points)
        var times = (0...count).map { Double($0) * step }
        // A start with a high velocity turns long before the first of these times.
        if let turns = curve.remaining.turns, turns.first > 0 {
            for share in stride(from: 0.25, through: 4, by: 0.25) { times.append(turns.first * share) }
        }
        // The short start and the slow approach of an overdamped curve are smooth enough for growing steps.
        if curve.spring.dampingRatio >= 1 {
            times += growing(from: 1 / (8 * curve.spring.fastRate), to: step, by: 1.25)
            times += growing(from: Double(count) * step, to: rest, by: Self.growth)
        }
        return times
    }

    /// Returns times that grow by a factor, up to and including the first at or after `end`.
    private func growing(from start: Double, to end: Double, by factor: Double) -> [Double] {
        // From the shortest response to the longest settling time there are fewer.
        Array(sequence(first: start) { $0 < end ? $0 * factor : nil }.prefix(1000))
    }

    /// Refines the neighbourhoods of the samples whose distance is close to the largest.
    private func refined(_ times: [Double], _ gaps: [Double], _ largest: Double) -> SpringCurve.Distance {
        var best = (maximum: 0.0, time: 0.0)
        // Between two samples of a period, the distance exceeds theirs by about a hundredth.
        let candidates = gaps.indices.filter { index in
            gaps[index] >= 0.9 * largest && gaps[index] >= (index > 0 ? gaps[index - 1] : 0)
                && gaps[index] >= (index + 1 < gaps.count ? gaps[index + 1] : 0)
        }
        for index in candidates.sorted(by: { gaps[$0] > gaps[$1] }).prefix(48) {
            let time = crest(between: times[max(0, index - 1)], and: times[min(gaps.count - 1, index + 1)])
            for (gap, time) in [(gaps[index], times[index]), (gap(time), time)] where gap > best.maximum {
                best = (gap, time)
            }
        }
        return best.time > start ? refinedBeat(best) : best
    }

    /// Searches the coarse step around a late maximum: which period has the largest distance, and where in that period.
    private func refinedBeat(_ best: SpringCurve.Distance) -> SpringCurve.Distance {
        let highest = { (time: Double) -> SpringCurve.Distance in
            let points = (0..<24).map { time + period * Double($0) / 24 }.map { (maximum: gap($0), time: $0) }
            let highest = points.max { $0.maximum < $1.maximum } ?? (0, time)
            // Many digits are needed: near the top of a beat, one period is hardly larger than the next.
            let top = crest(between: max(0, highest.time - period / 24), and: highest.time + period / 24)
            return gap(top) > highest.maximum ? (maximum: gap(top), time: top) : highest
        }
        var (low, high) = (max(start, best.time / Self.growth), min(end, best.time * Self.growth))
        guard low < high else { return best }
        for _ in 0..<24 {
            let third = (high - low) / 3
            if highest(low + third).maximum > highest(high - third).maximum { high -= third } else { low += third }
        }
        let peak = highest((low + high) / 2)
        return peak.maximum > best.maximum ? peak : best
    }
}

extension FreeMotion {
    /// Returns the largest magnitude from `time` seconds on: the one at `time` or at the next turning point.
    fileprivate func largest(from time: Double) -> Double {
        let now = abs(displacement(at: time))
        guard let turns else { return now }
        guard time > turns.first else { return max(now, abs(displacement(at: turns.first))) }
        guard let interval = turns.interval else { return now }
        let next = turns.first + ((time - turns.first) / interval).rounded(.up) * interval
        return max(now, abs(displacement(at: next)))
    }
}

extension SpringCurve {
    /// The largest distance between two curves, and when it is reached.
    package struct Distance: Sendable, Equatable {
        /// Share of the travel.
        package let maximum: Double
        /// Seconds.
        package let time: Double
    }

    /// The largest distance to `other`, as a share of the travel, and its time.
    ///
    /// Both curves are looked at where either of them has features: 24 points a period until it is at rest, or for
    /// its first 200 periods. The neighbourhood of the largest distance found is then searched to the last digit. Two
    /// undamped curves part for ever; what is found is the largest distance within these periods.
    package func distance(to other: SpringCurve) -> Distance {
        guard self != other else { return Distance(maximum: 0, time: 0) }
        let times = (features + other.features).sorted()
        let gap = { (time: Double) in abs(self.position(at: time) - other.position(at: time)) }
        var best = 0
        var largest = 0.0
        for (index, time) in times.enumerated() {
            let distance = gap(time)
            if distance > largest { (largest, best) = (distance, index) }
        }
        let start = times[max(0, best - 1)]
        let end = times[min(times.count - 1, best + 1)]
        let time = maximum(of: gap, between: start, and: end)
        return gap(time) > largest
            ? Distance(maximum: gap(time), time: time) : Distance(maximum: largest, time: times[best])
    }

    /// Times, in seconds, between which the curve is smooth.
    private var features: [Double] {
        let step = spring.response / 24
        let end = settlingTime(epsilon: 1e-4) ?? .infinity
        let isSwinging = spring.dampingRatio < 1
        let count = Int(min((end / step).rounded(.up), 4800))
        var times = (0...max(count, 24)).map { Double($0) * step }
        // An overdamped curve creeps on for many periods: it is smooth enough for steps that grow.
        if !isSwinging, var time = times.last, time < end {
            while time < end {
                time *= 1.05
                times.append(time)
            }
        }
        return times
    }

    /// Golden-section search for the maximum of a function with one between two times.
    private func maximum(of value: (Double) -> Double, between start: Double, and end: Double) -> Double {
        let share = (5.0.squareRoot() - 1) / 2
        var (low, high) = (start, end)
        var (left, right) = (high - share * (high - low), low + share * (high - low))
        var (atLeft, atRight) = (value(left), value(right))
        for _ in 0..<40 {
            if atLeft > atRight {
                (high, right, atRight) = (right, left, atLeft)
                left = high - share * (high - low)
                atLeft = value(left)
            } else {
                (low, left, atLeft) = (left, right, atRight)
                right = low + share * (high - low)
                atRight = value(right)
            }
        }
        return (low + high) / 2
    }
}

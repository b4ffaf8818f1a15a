import Glibc

extension SpringCurve {
    /// A point of a curve.
    package struct Point: Sendable, Equatable {
        /// Seconds.
        package let time: Double
        /// 0 the start, 1 the target.
        package let position: Double

        package init(time: Double, position: Double) {
            self.time = time
            self.position = position
        }
    }

    /// The last time in seconds at which the curve is further than `epsilon` (a share of the travel) from its target;
    /// nil when it never comes to rest.
    package func settlingTime(epsilon: Double) -> Double? {
        remaining.lastTime(above: epsilon)
    }

    /// The time in seconds at which the envelope of an underdamped curve reaches `epsilon`.
    ///
    /// Never before the settling time, and smooth in all parameters where the settling time jumps. It grows beyond all bounds towards critical;
    /// nil from there on, and without damping.
    package func envelopeTime(epsilon: Double) -> Double? {
        guard spring.regime == .underdamped else { return nil }
        let rate = spring.decayRate
        let time = log(hypot(1, (rate - initialVelocity) / spring.dampedFrequency) / epsilon) / rate
        return time.isFinite ? time : nil
    }

    /// The furthest point beyond the target; nil when the curve does not pass it.
    package var peak: Point? {
        guard let turns = remaining.turns else { return nil }
        // Turns alternate in side and shrink: the first beyond the target is among the first two, or three when the
        // start itself, at rest, counts as one.
        let interval = turns.interval ?? 0
        for index in 0..<(turns.interval == nil ? 1 : 3) {
            let time = turns.first + Double(index) * interval
            let distance = remaining.displacement(at: time)
            if time > 0, distance < 0 { return Point(time: time, position: 1 - distance) }
        }
        return nil
    }

    /// How far the curve goes beyond its target, as a share of the travel; 0 when it does not.
    package var overshoot: Double {
        peak.map { $0.position - 1 } ?? 0
    }
}

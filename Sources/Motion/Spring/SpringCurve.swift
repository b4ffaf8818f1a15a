import CMathematics
import Primitives

/// The curve of an animation: a spring and its initial velocity, over a travel from 0 to 1.
public struct SpringCurve: Sendable, Hashable {
    /// The spring that shapes the curve.
    public let spring: Spring
    /// Relative initial velocity in travels per second, positive towards the target.
    public let initialVelocity: Double
    /// The distance to the target as a motion about rest.
    package let remaining: FreeMotion

    /// Creates the curve of `spring` with a finite initial velocity in travels per second.
    public init(_ spring: Spring, initialVelocity: Double = 0) {
        self.spring = spring
        self.initialVelocity = initialVelocity
        remaining = FreeMotion(spring, displacement: 1, rate: -initialVelocity)
    }

    /// The position and the velocity of an animation at one time.
    public struct State: Sendable, Equatable {
        /// The position, in the unit of the travel.
        public let position: Double
        /// The derivative of the position per second.
        public let velocity: Double

        /// A position and its derivative.
        public init(position: Double, velocity: Double) {
            (self.position, self.velocity) = (position, velocity)
        }
    }

    /// A point of a curve.
    public struct Point: Sendable, Equatable {
        /// Seconds.
        public let time: Double
        /// 0 the start, 1 the target.
        public let position: Double

        /// A position at a time.
        public init(time: Double, position: Double) {
            (self.time, self.position) = (time, position)
        }
    }

    /// Returns the position (0 the start, 1 the target) and the velocity (travels per second) at `time` seconds.
    public func state(at time: Double) -> State {
        let (distance, rate) = remaining.state(at: time)
        return State(position: 1 - distance, velocity: -rate)
    }

    /// Returns the position (0 the start, 1 the target) at `time` seconds.
    public func position(at time: Double) -> Double { 1 - remaining.displacement(at: time) }
    package func point(at time: Double) -> Point { Point(time: time, position: position(at: time)) }

    /// Returns the last time in seconds further than `epsilon`, a share of the travel, from the target; nil for none.
    public func settlingTime(epsilon: Double) -> Double? { remaining.lastTime(above: epsilon) }

    /// Returns the time in seconds at which the envelope of an underdamped curve reaches `epsilon`; nil for other curves.
    ///
    /// It is never before the settling time, does not jump as that does, and grows without bound towards critical damping.
    public func envelopeTime(epsilon: Double) -> Double? {
        guard spring.regime == .underdamped else { return nil }
        let rate = spring.decayRate
        let time = log(hypot(1, (rate - initialVelocity) / spring.dampedFrequency) / epsilon) / rate
        return time.isFinite ? time : nil
    }

    /// The furthest point beyond the target; nil if the curve does not pass it.
    public var peak: Point? {
        // Extrema alternate in sign and shrink, and a start at rest is one: the first beyond the target is among three.
        turns(from: 0, to: .infinity, atMost: 3).first { $0.time > 0 && $0.position > 1 }
    }

    /// The furthest distance beyond the target as a share of the travel; 0 if the curve does not pass it.
    public var overshoot: Double { peak.map { $0.position - 1 } ?? 0 }

    /// Returns at most `limit` turning points from a time on; they are the furthest points from then on.
    ///
    /// `start` (at least 0) and `end` are in seconds. Turning points after `end` are omitted. `limit` is at least 1.
    public func turns(from start: Double, to end: Double, atMost limit: Int) -> [Point] {
        guard let turns = remaining.turns else { return [] }
        guard let interval = turns.interval else {
            return start...end ~= turns.first ? [point(at: turns.first)] : []
        }
        let passed = max(0, ((start - turns.first) / interval).rounded(.up))
        return (0..<limit).map { turns.first + (passed + Double($0)) * interval }.filter { start...end ~= $0 }
            .map(point)
    }

    /// Returns the times of animation frames: 0, 1/rate, … up to and including the first at or after `duration` seconds.
    ///
    /// `rate` is in frames per second and above 0. There are at most `limit` frames.
    public static func frameTimes(rate: Double, duration: Double, limit: Int) -> [Double] {
        var steps = (duration * rate).rounded(.up)
        // The product may be rounded to more than a whole number of frames.
        if (steps - 1) / rate >= duration { steps -= 1 }
        return (0..<Int.clamping(steps + 1, to: 1...limit)).map { Double($0) / rate }
    }
}

extension Spring {
    /// Returns the value (points) and velocity (points per second) at `time` seconds, even if it starts at its target.
    public func state(at time: Double, start: Double, target: Double, velocity: Double) -> SpringCurve.State {
        let (distance, rate) = FreeMotion(self, displacement: target - start, rate: -velocity).state(at: time)
        return SpringCurve.State(position: target - distance, velocity: -rate)
    }
}

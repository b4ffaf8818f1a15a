/// One point of a curve: the value at a transition progress of 0 to 2.
package struct Keyframe: Sendable, Equatable {
    package let progress: Double
    package let value: Double

    package init(progress: Double, value: Double) throws(BarLayoutError) {
        guard 0...2 ~= progress else { throw .outOfRange("progress") }
        self.progress = progress
        self.value = try Coordinate.checked(value, "value")
    }
}

/// Points in strictly ascending order of progress; before the first and after the last the value stays.
package struct Keyframes: Sendable, Equatable {
    package let points: [Keyframe]

    /// The most points of one track.
    package static let limit = 64

    package init(_ points: [Keyframe]) throws(BarLayoutError) {
        guard 1...Keyframes.limit ~= points.count else {
            throw .keyframes("a track has 1 to \(Keyframes.limit) keyframes")
        }
        guard zip(points, points.dropFirst()).allSatisfy({ $0.progress < $1.progress }) else {
            throw .keyframes("progress must ascend from keyframe to keyframe")
        }
        self.points = points
    }

    func value(at progress: Double) -> Double {
        var before = points[0]
        for after in points {
            if progress <= after.progress {
                let source = Bounds(before.progress, after.progress)
                return progress.mapped(from: source, to: Bounds(before.value, after.value))
            }
            before = after
        }
        return before.value
    }
}

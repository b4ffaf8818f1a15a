extension SpringCurve {
    /// The first turns of the curve from a time on, at most so many: the furthest points from then on.
    ///
    /// `start` (at least 0) and `end` are in seconds; turns after the end are left out. `limit` is at least 1.
    package func turns(from start: Double, to end: Double, atMost limit: Int) -> [Point] {
        guard let turns = remaining.turns else { return [] }
        guard let interval = turns.interval else {
            return start...end ~= turns.first ? [point(at: turns.first)] : []
        }
        let passed = max(0, ((start - turns.first) / interval).rounded(.up))
        return (0..<limit).map { turns.first + (passed + Double($0)) * interval }.filter { start...end ~= $0 }
            .map { point(at: $0) }
    }

    private func point(at time: Double) -> Point {
        Point(time: time, position: position(at: time))
    }
}

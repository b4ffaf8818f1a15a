/// The downhill simplex of Nelder and Mead (The Computer Journal 7, 1965), with their coefficients.
enum Simplex {
    /// The point with the least value that was found in `rounds` rounds, from a simplex of `size` at `start`.
    static func minimum(
        from start: [Double],
        size: Double,
        rounds: Int,
        of value: ([Double]) -> Double
    ) -> (numbers: [Double], error: Double) {
        var corners = [(numbers: start, error: value(start))]
        for index in start.indices {
            var corner = start
            corner[index] += size
            corners.append((corner, value(corner)))
        }
        for _ in 0..<rounds {
            corners.sort { $0.error < $1.error }
            let worst = corners[corners.count - 1]
            let centre = start.indices.map { index in
                corners.dropLast().reduce(0) { $0 + $1.numbers[index] } / Double(start.count)
            }
            func move(_ factor: Double) -> (numbers: [Double], error: Double) {
                let numbers = zip(centre, worst.numbers).map { $0 + factor * ($0 - $1) }
                return (numbers, value(numbers))
            }
            let reflected = move(1)
            var replacement = reflected
            if reflected.error < corners[0].error {
                let expanded = move(2)
                if expanded.error < reflected.error { replacement = expanded }
            } else if reflected.error >= corners[corners.count - 2].error {
                replacement = move(reflected.error < worst.error ? 0.5 : -0.5)
            }
            if replacement.error < worst.error {
                corners[corners.count - 1] = replacement
            } else {
                let best = corners[0].numbers
                corners = corners.map { corner in
                    let numbers = zip(best, corner.numbers).map { ($0 + $1) / 2 }
                    return (numbers, value(numbers))
                }
            }
        }
        corners.sort { $0.error < $1.error }
        return corners[0]
    }
}

/// Which of several resting places a gesture is meant for: the one nearest to where it would end.
package enum NearestTarget {
    /// The index of the target nearest to `position`; the first of several equally near; nil when there is none.
    package static func index(of position: Double, in targets: [Double]) -> Int? {
        var nearest: Int?
        var least = Double.infinity
        for (index, target) in targets.enumerated() where abs(target - position) < least {
            least = abs(target - position)
            nearest = index
        }
        return nearest
    }
}

/// What a session borrows from outside to apply an event: functions, so that the session itself stays a value.
///
/// An object, because it is handed on with every event: one count instead of one for each function.
package final class BarRules: Sendable {
    /// Stages in place of those that the session's options ask for.
    package let reducer: Reducer?
    /// How far something goes that is let go at a velocity (points per second) under a deceleration rate; points.
    package let project: @Sendable (_ velocity: Double, _ rate: DecelerationRate) -> Double
    /// A velocity (points per second) as travels per second, for a spring that starts with it.
    package let relativeVelocity: @Sendable (_ velocity: Double, _ current: Double, _ target: Double) -> Double

    package init(
        reducer: Reducer? = nil,
        project: @escaping @Sendable (_ velocity: Double, _ rate: DecelerationRate) -> Double,
        relativeVelocity: @escaping @Sendable (_ velocity: Double, _ current: Double, _ target: Double) -> Double
    ) {
        self.reducer = reducer
        self.project = project
        self.relativeVelocity = relativeVelocity
    }
}

/// Who reports what a command of the bar did to the content.
package enum Feedback: String, Sendable {
    /// The session observes its own command at once, as the app's scroll view does: the answer is the settled state.
    case applied
    /// The client reports it like any other move. The two differ in results: after `expand(false)` the inset is written
    /// before the report arrives, which then is taken for a bounce, and the bar stays open.
    case echoed
}

/// What applying one event brought about, beside the session's new state.
package struct Outcome: Sendable, Equatable {
    /// In the order in which they are to be carried out.
    package internal(set) var commands: [BarCommand] = []
    /// The states the bar reached or passed, in order: a haptic tick each.
    package internal(set) var crossings: [Crossing] = []
    /// The view that was got ready, after a `preconfigure`.
    package internal(set) var preconfigured: Preconfigured?
    /// How it came about, when asked for.
    package internal(set) var explanation: Explanation?

    /// Nothing at all, and nothing to be explained.
    package init() {}
}

/// The insets of a view that was got ready.
package struct Preconfigured: Sendable, Equatable {
    package let scrollableID: String
    package let contentInset: EdgeInsets
    package let scrollIndicatorInsetTop: Double
}

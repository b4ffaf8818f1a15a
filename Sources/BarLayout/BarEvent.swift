/// A change of the attached scroll view, or a request of the client to the bar.
public struct BarEvent: Sendable, Equatable {
    /// What happened.
    public let action: Action
    /// The cause of a move of the content.
    public let source: Source
    /// The view of the event; nil for the attached one.
    public let scrollableID: String?
    /// The time by the client's clock, in seconds; the log keeps it, and no rule reads it.
    public let timestamp: Double?

    /// An event; by default one that the user caused in the attached view.
    public init(
        _ action: Action,
        source: Source = .user,
        scrollableID: String? = nil,
        timestamp: Double? = nil
    ) {
        self.action = action
        self.source = source
        self.scrollableID = scrollableID
        self.timestamp = timestamp
    }

    /// The kinds of events.
    ///
    /// Rare and large ones are `indirect`, which keeps a scroll event small.
    public enum Action: Sendable, Equatable {
        /// The content moved.
        case contentOffset(Point)
        /// The size of the content changed.
        case contentSize(Size)
        /// The frame of the view changed. No rule reacts until another event reads it.
        indirect case frame(Rect)
        /// The client set the insets. No rule reacts until another event reads them.
        indirect case contentInset(EdgeInsets)
        /// The state of the pan gesture changed; the velocity is that of the content offset, in points per second.
        case panGesture(PanGestureState, velocity: Point?)
        /// Expands the bar, or returns it to normal.
        case expand(Bool)
        /// Attaches this view in place of the present one.
        indirect case set(Scrollable)
        /// Configures a view to be shown below the bar in its present state.
        indirect case preconfigure(Scrollable)
    }

    /// The cause of a move of the content.
    public enum Source: String, Sendable {
        /// A gesture or the client.
        case user
        /// The animation of a command of the bar.
        case animation
    }

    /// The states of UIKit's `UIGestureRecognizer.State`.
    public enum PanGestureState: String, Sendable, CaseIterable {
        case possible, began, changed, ended, cancelled, failed
    }
}

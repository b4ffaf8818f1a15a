/// Something that happened to the attached scroll view, or that the client asks of the bar.
package struct BarEvent: Sendable, Equatable {
    package let action: Action
    package let source: Source
    /// The view the client means; nil for whichever is attached.
    package let scrollableID: String?
    /// The client's own clock, in seconds: kept in the log, never read by a rule.
    package let timestamp: Double?

    package init(
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

    // The rare and large ones live in a box, so that a scroll event, which is nearly all of them, stays small.

    /// What happened.
    package enum Action: Sendable, Equatable {
        /// The content moved.
        case contentOffset(Point)
        /// The content grew or shrank.
        case contentSize(Size)
        /// The view was laid out anew. Not observed: seen when the next rule reads it.
        indirect case frame(Rect)
        /// The host wrote the insets. Not observed either.
        indirect case contentInset(EdgeInsets)
        /// The pan gesture changed its state; the velocity is that of the content offset, in points per second.
        case panGesture(PanGestureState, velocity: Point?)
        /// Opens the bar, or closes it to normal, from anywhere.
        case expand(Bool)
        /// Attaches this view in place of the one before.
        indirect case set(Scrollable)
        /// Gets a view ready to be shown under the bar as it is now.
        indirect case preconfigure(Scrollable)
    }

    /// Who moved the content.
    package enum Source: String, Sendable {
        case user
        /// The animation that a command of the bar started.
        case animation
    }

    /// UIKit's `UIGestureRecognizer.State`.
    package enum PanGestureState: String, Sendable, CaseIterable {
        case possible, began, changed, ended, cancelled, failed
    }
}

public import BarLayout
public import Foundation
public import Motion

/// A report of a bar to its app.
public enum BarUpdate: Sendable {
    /// The shown bar changed or has commands, because of an event of this client or a response of the service.
    case changed(BarResult)
    /// The shown height was wrong by more than half a point; `changed` follows with the same result.
    case corrected(BarCorrection)
    /// The service has confirmed the events with these numbers.
    case confirmed(ClosedRange<Int>)
    /// The session has an id, or a new one because it had ended.
    case session(id: String)
    /// The connection to the service changed; no action is needed.
    case connection(BarConnection)
    /// These events are dropped; if there are none, nothing is sent until `retry()`.
    case problem(Problem, events: [BarEvent])
    /// Everything is confirmed, or nothing is sent any more.
    case settled
}

/// The connection of a session to the service.
public enum BarConnection: Sendable, Equatable {
    /// A request is made, and the one before had no answer.
    case connecting
    /// The last request was answered.
    case online
    /// The next request is made at this time, because of this problem.
    case waiting(until: Date, Problem)
}

/// The bar after an event or a correction, with the changes for the app to apply.
public struct BarResult: Sendable, Equatable {
    /// The state of the bar.
    public let state: BarState
    /// The `id` of the attached view.
    public let scrollableID: String
    /// The insets to set before the commands are carried out.
    public let contentInset: EdgeInsets
    /// The top inset of the scroll indicators, in points.
    public let scrollIndicatorInsetTop: Double
    /// The values of the tracks, in the order of their creation.
    public let values: [Value]
    /// The moves of content to carry out, in order.
    public let commands: [BarCommand]
    /// The states that the bar reached or passed, for haptic feedback.
    public let crossings: [Crossing]
    /// The view that a `preconfigure` event prepared.
    public let preconfigured: Preconfigured?
    /// Whether the bar is expanded, or opens.
    public var isOpen: Bool { state.isExpandedStateAvailable && state.transitionProgress > 1 }

    /// The value of a track.
    public struct Value: Sendable, Equatable {
        /// The name of the track.
        public let name: String
        /// Its number for the state of the bar.
        public let number: Double
    }

    /// `foreign` has the values of tracks that this client does not know.
    init(_ bar: BarSession, _ outcome: BarOutcome, commands: [BarCommand], foreign: [Value]) {
        state = bar.state
        scrollableID = bar.scrollable.id
        contentInset = bar.scrollable.geometry.contentInset
        scrollIndicatorInsetTop = bar.scrollIndicatorInsetTop
        values = bar.tracks.all.map { Value(name: $0.name, number: $0.value(at: bar.state)) } + foreign
        self.commands = commands
        crossings = outcome.crossings
        preconfigured = outcome.preconfigured
    }

    /// The value of the track of this name; nil if there is none.
    public subscript(track: String) -> Double? { values.first { $0.name.hasBytes(of: track) }?.number }
}

/// A difference between the shown bar and the confirmed one.
///
/// The bar is corrected immediately. An app that adds the residue to the height moves there with a spring instead.
public struct BarCorrection: Sendable, Equatable {
    /// The height that was shown, in points.
    public let from: Double
    /// The correct height, in points.
    public let to: Double
    /// The corrected bar.
    public let result: BarResult

    /// The spring of a correction: critically damped, with a response of 0.3 s.
    public static let spring = Spring(ratio: 1, response: 0.3)

    /// Seconds after which the residue is below a hundredth of a point.
    public var duration: Double {
        let curve = SpringCurve(BarCorrection.spring)
        return curve.settlingTime(epsilon: min(1, 0.01 / abs(from - to))) ?? 0
    }

    /// Returns the remaining difference after a time in seconds, to be added to the height.
    public func residue(after time: Double) -> Double {
        (from - to) * (1 - SpringCurve(BarCorrection.spring).position(at: max(0, time)))
    }
}

public import BarLayout
import ClientJSON

/// A new bar: the content of `POST /v1/bars`.
public struct BarDefinition: Sendable, Equatable {
    /// The heights of the bar.
    public var configuration: BarConfiguration
    /// The view to attach.
    public var scrollable: Scrollable
    /// The reporter of the moves that the bar commands.
    public var feedback: Feedback
    /// The differences to AirBar.
    public var options: BarOptions
    /// The numbers that follow the bar.
    public var tracks: Tracks
    /// Seconds from the last write to the end of the session; nil for the service's default.
    public var ttlSeconds: Int?
    /// The state in which the bar goes on, instead of the attachment of the view.
    private(set) var snapshot: BarSession.Snapshot?

    /// A bar over a view; by default AirBar without tracks.
    public init(
        configuration: BarConfiguration,
        scrollable: Scrollable,
        feedback: Feedback = .applied,
        options: BarOptions = .airBar,
        tracks: Tracks = Tracks(),
        ttlSeconds: Int? = nil
    ) {
        self.configuration = configuration
        self.scrollable = scrollable
        self.feedback = feedback
        self.options = options
        self.tracks = tracks
        self.ttlSeconds = ttlSeconds
    }

    init(continuing bar: BarSession, ttlSeconds: Int?) {
        self.init(
            configuration: bar.configuration,
            scrollable: bar.scrollable,
            feedback: bar.feedback,
            options: bar.options,
            tracks: bar.tracks,
            ttlSeconds: ttlSeconds
        )
        snapshot = bar.snapshot
    }

    /// Returns the bar that this definition makes, and the outcome of its attachment if there is one.
    func attached() -> (session: BarSession, outcome: BarOutcome) {
        if let snapshot {
            let bar = BarSession(restoring: snapshot, feedback: feedback, options: options, tracks: tracks)
            return (bar, BarOutcome())
        }
        return BarSession.attached(
            to: scrollable,
            configuration: configuration,
            feedback: feedback,
            options: options,
            tracks: tracks
        )
    }

    var json: JSONDocument {
        let heights = JSONDocument.object([
            "compactStateHeight": configuration.compactStateHeight,
            "normalStateHeight": configuration.normalStateHeight,
            "expandedStateHeight": configuration.expandedStateHeight,
        ])
        return .object([
            "configuration": heights,
            "scrollable": snapshot == nil ? scrollable : nil,
            "snapshot": snapshot,
            "feedback": feedback.rawValue,
            "options": options == .airBar ? nil : options.json,
            "tracks": tracks.all.map(TrackChange.set).json,
            "ttlSeconds": ttlSeconds,
        ])
    }
}

extension BarOptions {
    /// The options that differ from the defaults: an older service refuses the names of options that it lacks.
    fileprivate var json: JSONDocument {
        var snapName: String?
        var rate: Double?
        switch snap {
        case .nearest: break
        case .projected(let deceleration): (snapName, rate) = ("projected", deceleration.value)
        case .none: snapName = "none"
        }
        let fixNames = Fixes.names.filter { fixes.contains($0.value) }.map(\.key)
        let flag = { (isOn: Bool) in isOn ? true : nil }
        return .object([
            "snap": snapName,
            "decelerationRate": rate,
            "snapSequential": flag(snapSequential),
            "snapOnCancel": flag(snapOnCancel),
            "clampTargets": flag(clampTargets),
            "reopen": reopen == .anywhere ? nil : reopen.rawValue,
            "tolerance": tolerance == .none ? nil : tolerance.points,
            "resistance": resistance.map { JSONDocument.object(["dimension": $0.dimension, "constant": $0.constant]) },
            "fixes": fixNames.isEmpty ? nil : fixNames,
        ])
    }
}

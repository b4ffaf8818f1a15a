public import BarLayout

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
            tracks: tracks,
            rules: .fluid
        )
    }

    init(_ json: JSONDocument) throws {
        let heights = json["configuration"]
        let configuration = try BarConfiguration(
            compactStateHeight: heights.number("compactStateHeight"),
            normalStateHeight: heights.number("normalStateHeight"),
            expandedStateHeight: heights.number("expandedStateHeight")
        )
        let snapshot = try json["snapshot"].map { try BarSession.Snapshot($0, configuration: configuration) }
        var tracks = Tracks()
        try tracks.apply(try (json["tracks"]?.members ?? []).map { try TrackChange($0) })
        self.init(
            configuration: configuration,
            scrollable: try snapshot?.scrollable ?? Scrollable(json["scrollable"]),
            feedback: try json["feedback"].map { try required($0.string.flatMap(Feedback.init)) } ?? .applied,
            options: try BarOptions(json["options"]),
            tracks: tracks
        )
        self.snapshot = snapshot
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
        let fixNames = BarOptions.fixNames.filter { fixes.contains($0.fix) }.map(\.name)
        let flag = { (isOn: Bool) in isOn ? true : nil }
        return .object([
            "snap": snapName,
            "decelerationRate": rate,
            "snapSequential": flag(snapSequential),
            "snapOnCancel": flag(snapOnCancel),
            "clampTargets": flag(clampTargets),
            "resistance": resistance.map { JSONDocument.object(["dimension": $0.dimension, "constant": $0.constant]) },
            "fixes": fixNames.isEmpty ? nil : fixNames,
        ])
    }

    /// Reads options; those that are missing have their defaults.
    init(_ json: JSONDocument?) throws {
        self.init()
        switch json?["snap"]?.string {
        case "projected":
            snap = .projected(try json?["decelerationRate"]?.double.map { try DecelerationRate($0) } ?? .normal)
        case "none": snap = .none
        default: break
        }
        snapSequential = json?["snapSequential"]?.bool ?? false
        snapOnCancel = json?["snapOnCancel"]?.bool ?? false
        clampTargets = json?["clampTargets"]?.bool ?? false
        resistance = try json?["resistance"].map { resistance in
            try Resistance(
                dimension: required(resistance["dimension"]?.double),
                constant: resistance["constant"]?.double ?? 0.55
            )
        }
        let names = json?["fixes"]?.array?.compactMap(\.string) ?? []
        for (fix, name) in BarOptions.fixNames where names.contains(name) { fixes.insert(fix) }
    }

    private static let fixNames: [(fix: Fixes, name: String)] = [
        (.primeOnAttach, "primeOnAttach"), (.overscroll, "overscroll"),
        (.clearExpandedOnCollapse, "clearExpandedOnCollapse"), (.contentSizeRatchet, "contentSizeRatchet"),
        (.baseInset, "baseInset"),
    ]
}

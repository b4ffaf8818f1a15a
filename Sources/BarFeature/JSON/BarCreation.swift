import BarLayout
import JSON

/// The content of a request that creates a bar.
struct BarCreation: Sendable {
    /// A new bar at its normal height, or an earlier one that goes on from its snapshot.
    let session: BarSession
    /// The commands of the attachment of a new bar.
    let commands: [NumberedCommand]
    /// The time from a write to the end of the bar, in seconds; nil for the setting of the service.
    let ttlSeconds: Int?

    /// Also the range of stored bars: with a smaller one, some could not be read any more.
    static let ttlRange = 10...86_400
}

extension BarCreation {
    private static let members: [StaticString] = [
        "configuration", "scrollable", "snapshot", "feedback", "tracks", "ttlSeconds", "options",
    ]

    /// Reads the content of `POST /v1/bars`.
    init(json: JSONValue) throws {
        let object = try json.object()
        try object.only(BarCreation.members)
        try self.init(members: object)
    }

    /// Reads the content of `POST /v1/bars/apply`: that of a creation, and events.
    static func withEvents(json: JSONValue) throws -> (creation: BarCreation, submission: EventSubmission) {
        let object = try json.object()
        try object.only(members + ["events"])
        return (try BarCreation(members: object), try EventSubmission(list: object["events"]))
    }

    private init(members object: JSONObject) throws {
        let configuration = try object["configuration"].configuration()
        let snapshot = object.optional("snapshot")
        if snapshot != nil, let view = object.optional("scrollable") {
            throw view.error("is not allowed beside \"snapshot\"; omit it")
        }
        let restored = try snapshot?.snapshot(of: configuration)
        let scrollable = try restored?.scrollable ?? object["scrollable"].scrollable()
        let feedback = try object.optional("feedback")?.choice(among: [Feedback.applied, .echoed]) ?? .applied
        let tracks = try object.optional("tracks")?.tracks() ?? Tracks()
        let options = try object.optional("options")?.options() ?? .airBar
        ttlSeconds = try object.optional("ttlSeconds")?.integer(in: BarCreation.ttlRange)
        if let restored {
            session = BarSession(restoring: restored, feedback: feedback, options: options, tracks: tracks)
            commands = []
            return
        }
        let (session, outcome) = BarSession.attached(
            to: scrollable,
            configuration: configuration,
            feedback: feedback,
            options: options,
            tracks: tracks
        )
        self.session = session
        commands = outcome.commands.map { NumberedCommand(sequence: 0, command: $0) }
    }
}

extension JSONValue {
    fileprivate func configuration() throws -> BarConfiguration {
        let object = try object()
        try object.only("compactStateHeight", "normalStateHeight", "expandedStateHeight")
        let compact = try object.double("compactStateHeight")
        let normal = try object.double("normalStateHeight")
        let expanded = try object.double("expandedStateHeight")
        return try locating(
            pointer,
            BarConfiguration(compactStateHeight: compact, normalStateHeight: normal, expandedStateHeight: expanded)
        )
    }

    private enum SnapName: String, CaseIterable {
        case nearest, projected, none
    }

    private enum RateName: String, CaseIterable {
        case normal, fast
    }

    fileprivate func options() throws -> BarOptions {
        let object = try object()
        try object.only([
            "snap", "decelerationRate", "snapSequential", "snapOnCancel", "clampTargets", "reopen", "tolerance",
            "resistance", "fixes",
        ])
        let rate = try object.optional("decelerationRate")?.decelerationRate() ?? .normal
        var options = BarOptions()
        switch try object.optional("snap")?.choice(of: SnapName.self) ?? .nearest {
        case .nearest: options.snap = .nearest
        case .projected: options.snap = .projected(rate)
        case .none: options.snap = .none
        }
        options.snapSequential = try object.optional("snapSequential")?.bool() ?? false
        options.snapOnCancel = try object.optional("snapOnCancel")?.bool() ?? false
        options.clampTargets = try object.optional("clampTargets")?.bool() ?? false
        options.reopen = try object.optional("reopen")?.choice(among: [.anywhere, .top]) ?? .anywhere
        if let tolerance = object.optional("tolerance") {
            let points = try tolerance.double()
            options.tolerance = try locating(pointer, Tolerance(points: points))
        }
        options.resistance = try object.optional("resistance")?.resistance()
        for name in try object.optional("fixes")?.array() ?? [] { options.fixes.insert(try name.fix()) }
        return options
    }

    private func fix() throws -> BarOptions.Fixes {
        let (names, name) = (BarOptions.Fixes.names, try string())
        guard let fix = names.first(where: { $0.key == name }) else { throw mustBe(oneOf: names.map(\.key)) }
        return fix.value
    }

    private func decelerationRate() throws -> DecelerationRate {
        if kind == .string { return try choice(of: RateName.self) == .normal ? .normal : .fast }
        let number = try double()
        guard let rate = try? DecelerationRate(number) else {
            throw error("must be \"normal\", \"fast\", or a number above 0 and below 1")
        }
        return rate
    }

    private func resistance() throws -> Resistance {
        let object = try object()
        try object.only("dimension", "constant")
        let dimension = try object.double("dimension")
        let constant = try object.optional("constant")?.double() ?? 0.55
        return try locating(pointer, Resistance(dimension: dimension, constant: constant))
    }
}

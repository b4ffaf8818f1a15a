import BarLayout
import JSON

extension BarBlueprint {
    /// How long a bar may live after a write, in seconds.
    static let ttlRange = 10...86_400

    /// Reads the content of a creation.
    init(json: JSONValue) throws {
        let object = try json.object()
        try object.only("configuration", "scrollable", "feedback", "tracks", "ttlSeconds", "options")
        try self.init(members: object)
    }

    /// Reads the content of a dry run: that of a creation, and events.
    static func withEvents(json: JSONValue) throws -> (blueprint: BarBlueprint, submission: EventSubmission) {
        let object = try json.object()
        try object.only("configuration", "scrollable", "feedback", "tracks", "ttlSeconds", "options", "events")
        return (try BarBlueprint(members: object), try EventSubmission(list: object["events"]))
    }

    private init(members object: JSONObject) throws {
        self.init(
            configuration: try object["configuration"].configuration(),
            scrollable: try object["scrollable"].scrollable(),
            feedback: try object.optional("feedback")?.choice(among: [Feedback.applied, .echoed]) ?? .applied,
            tracks: try object.optional("tracks")?.tracks() ?? Tracks(),
            options: try object.optional("options")?.options() ?? .airBar,
            ttlSeconds: try object.optional("ttlSeconds")?.integer(in: BarBlueprint.ttlRange)
        )
    }
}

extension JSONValue {
    private enum SnapWord: String, CaseIterable {
        case nearest, projected, none
    }

    private enum RateWord: String, CaseIterable {
        case normal, fast
    }

    private enum FixWord: String, CaseIterable {
        case primeOnAttach, overscroll, clearExpandedOnCollapse, contentSizeRatchet, baseInset

        var fix: BarOptions.Fixes {
            switch self {
            case .primeOnAttach: .primeOnAttach
            case .overscroll: .overscroll
            case .clearExpandedOnCollapse: .clearExpandedOnCollapse
            case .contentSizeRatchet: .contentSizeRatchet
            case .baseInset: .baseInset
            }
        }
    }

    fileprivate func options() throws -> BarOptions {
        let object = try object()
        try object.only(
            "snap",
            "decelerationRate",
            "snapSequential",
            "snapOnCancel",
            "clampTargets",
            "resistance",
            "fixes"
        )
        let rate = try object.optional("decelerationRate")?.decelerationRate() ?? .normal
        var options = BarOptions()
        switch try object.optional("snap")?.choice(of: SnapWord.self) ?? .nearest {
        case .nearest: options.snap = .nearest
        case .projected: options.snap = .projected(rate)
        case .none: options.snap = .none
        }
        options.snapSequential = try object.optional("snapSequential")?.bool() ?? false
        options.snapOnCancel = try object.optional("snapOnCancel")?.bool() ?? false
        options.clampTargets = try object.optional("clampTargets")?.bool() ?? false
        options.resistance = try object.optional("resistance")?.resistance()
        for fix in try object.optional("fixes")?.array().map({ try $0.choice(of: FixWord.self) }) ?? [] {
            options.fixes.insert(fix.fix)
        }
        return options
    }

    private func decelerationRate() throws -> DecelerationRate {
        if kind == .string { return try choice(of: RateWord.self) == .normal ? .normal : .fast }
        let rate = try double()
        do {
            return try DecelerationRate(rate)
        } catch {
            throw self.error("must be \"normal\", \"fast\", or a number above 0 and below 1")
        }
    }

    private func resistance() throws -> Resistance {
        let object = try object()
        try object.only("dimension", "constant")
        let dimension = try object.double("dimension")
        let constant = try object.optional("constant")?.double() ?? 0.55
        return try placing(self) { () throws(BarLayoutError) in
            try Resistance(dimension: dimension, constant: constant)
        }
    }
}

import BarLayout

extension BarSession {
    /// Returns the bar that the content of `POST /v1/bars` makes, and the outcome of its attachment if there is one.
    static func created(by json: JSONDocument) throws -> (session: BarSession, outcome: BarOutcome) {
        let heights = json["configuration"]
        let configuration = try BarConfiguration(
            compactStateHeight: heights.number("compactStateHeight"),
            normalStateHeight: heights.number("normalStateHeight"),
            expandedStateHeight: heights.number("expandedStateHeight")
        )
        let feedback = try json["feedback"].map { try required($0.string.flatMap(Feedback.init)) } ?? .applied
        let options = try BarOptions(json["options"])
        var tracks = Tracks()
        try tracks.apply(try (json["tracks"]?.members ?? []).map { try TrackChange($0) })
        if let snapshot = json["snapshot"] {
            let restored = try Snapshot(snapshot, configuration: configuration)
            let bar = BarSession(restoring: restored, feedback: feedback, options: options, tracks: tracks)
            return (bar, BarOutcome())
        }
        return BarSession.attached(
            to: try Scrollable(json["scrollable"]),
            configuration: configuration,
            feedback: feedback,
            options: options,
            tracks: tracks,
            rules: .fluid
        )
    }
}

import BarLayout

/// What a client wants a new bar to be.
struct BarBlueprint: Sendable {
    let configuration: BarConfiguration
    let scrollable: Scrollable
    let feedback: Feedback
    let tracks: Tracks
    let options: BarOptions
    /// nil for the service's own.
    let ttlSeconds: Int?
}

/// Events of one request, which are applied all or none.
struct EventSubmission: Sendable {
    let events: [Numbered]
    /// Whether they came as a list: where they stand in the content.
    let isBatch: Bool

    /// An event with the number its sender gave it, if any.
    struct Numbered: Sendable {
        let event: BarEvent
        let sequence: Int?
    }

    /// A JSON Pointer to a member of one of the events.
    func pointer(_ index: Int, _ member: String) -> String {
        isBatch ? "/events/\(index)/\(member)" : "/\(member)"
    }
}

/// How much of what happened a client wants to hear.
struct ResultDetail: Sendable {
    let scope: Scope
    /// Whether every result says how it came about.
    let explains: Bool

    /// About which events.
    enum Scope: String, CaseIterable, Sendable {
        /// Where the bar stands after the last one, with all commands.
        case last
        /// Every event by itself, too.
        case all
        /// Only where the bar stands.
        case none
    }

    static let last = ResultDetail(scope: .last, explains: false)
}

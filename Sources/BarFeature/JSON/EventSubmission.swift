import BarLayout
import HTTPExchange
import JSON

/// The events of one request, which are applied all or none.
struct EventSubmission: Sendable {
    let events: [Numbered]
    /// Whether the events came as a list, which determines their JSON Pointers.
    let isBatch: Bool

    /// An event with its number; nil if the client did not number it.
    struct Numbered: Sendable {
        let event: BarEvent
        let sequence: Int?
    }

    /// Returns the JSON Pointer to a member of an event.
    func pointer(_ index: Int, _ member: String) -> String {
        isBatch ? "/events/\(index)/\(member)" : "/\(member)"
    }

    /// The least and the greatest number; nil if the events have none.
    var sequences: (first: Int, last: Int)? {
        guard var first = events.first?.sequence else { return nil }
        var last = first
        for case let number? in events.lazy.map(\.sequence) {
            first = min(first, number)
            last = max(last, number)
        }
        return (first, last)
    }
}

extension EventSubmission {
    /// The most events of one request.
    static let limit = 500

    /// Reads one event, or an object whose only member `events` has 1 to 500 events.
    init(json: JSONValue) throws {
        let object = try json.object()
        guard let list = object.optional("events") else {
            self.init(events: [try Numbered(object)], isBatch: false)
            return
        }
        try object.only("events")
        try self.init(list: list)
    }

    /// Reads a list of 1 to 500 events, all of them numbered or none.
    init(list: JSONValue) throws {
        let array = try list.array()
        guard !array.isEmpty else { throw list.error("must have an event") }
        guard array.count <= EventSubmission.limit else {
            throw list.error("must have at most \(EventSubmission.limit) events, had \(array.count)")
        }
        var events: [Numbered] = []
        events.reserveCapacity(array.count)
        for (index, value) in array.enumerated() {
            let event = try Numbered(value.object())
            if let first = events.first, (first.sequence == nil) != (event.sequence == nil) {
                throw BarSessionError.mixedSequences(pointer: "\(list.pointer)/\(index)/sequence")
            }
            events.append(event)
        }
        self.init(events: events, isBatch: true)
    }
}

extension EventSubmission.Numbered {
    init(_ object: JSONObject) throws {
        self.init(
            event: try object.event(),
            sequence: object.isShortEvent ? nil : try object.optional("sequence")?.sequence()
        )
    }
}

extension JSONValue {
    /// Reads the number of an event, from 1.
    fileprivate func sequence() throws -> Int {
        let number = try integer()
        guard number >= 1 else { throw error("must be at least 1") }
        guard Double(number) <= Coordinate.limit else {
            throw BarSessionError.invalid(pointer: pointer, .outOfRange("sequence"))
        }
        return number
    }
}

/// The part of the results that a client asks for.
struct ResultDetail: Sendable {
    let scope: Scope
    /// Whether each result has an explanation.
    let explains: Bool

    /// The events with results.
    enum Scope: String, CaseIterable, Sendable {
        /// The state after the last event, with the commands of all events.
        case last
        /// The same, and the result of each event.
        case all
        /// The state after the last event only.
        case none
    }

    static let last = ResultDetail(scope: .last, explains: false)
}

extension ResultDetail {
    /// Reads the query of `POST /v1/bars/{id}/events`.
    ///
    /// An explanation is a part of a result, so `explain` implies `results=all`.
    init(_ target: Target) throws(Problem) {
        guard target.query != nil else {
            self = .last
            return
        }
        let query = try Query(target, allowing: ["results", "explain"])
        let explains = try query.bool("explain") ?? false
        let scope = try query.choice("results", of: Scope.self)
        if explains, let scope, scope != .all {
            throw .invalidQuery("explain", "needs results: omit `results` or set it to `all`")
        }
        self.init(scope: scope ?? (explains ? .all : .last), explains: explains)
    }
}

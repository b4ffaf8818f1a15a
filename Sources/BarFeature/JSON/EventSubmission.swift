import BarLayout
import HTTPExchange
import JSON

/// The events of one request, which are applied all or none.
struct EventSubmission: Sendable {
    static let limit = 500

    /// The first event, usually the only one, so that it needs no array.
    let first: Numbered
    let others: [Numbered]
    /// Whether the events came as a list, which determines their JSON Pointers.
    let isBatch: Bool

    /// An event with its number, if the client has numbered it.
    struct Numbered: Sendable {
        let event: BarEvent
        let sequence: Int?
    }

    var count: Int { 1 + others.count }

    subscript(index: Int) -> Numbered { index == 0 ? first : others[index - 1] }

    func pointer(_ index: Int, _ member: String) -> String {
        isBatch ? "/events/\(index)/\(member)" : "/\(member)"
    }

    /// The least and the greatest number; nil if the events have none.
    var sequences: (first: Int, last: Int)? {
        guard let number = first.sequence else { return nil }
        return others.reduce((number, number)) { range, event in
            let number = event.sequence ?? number
            return (min(range.0, number), max(range.1, number))
        }
    }
}

extension EventSubmission {
    /// Reads one event, or an object whose only member `events` has 1 to 500 events.
    init(json: JSONValue) throws {
        let object = try json.object()
        guard let list = object.optional("events") else {
            self.init(first: try Numbered(object), others: [], isBatch: false)
            return
        }
        try object.only("events")
        try self.init(list: list)
    }

    /// Reads a list of 1 to 500 events, all of them numbered or none.
    init(list: JSONValue) throws {
        let array = try list.array()
        guard array.count <= EventSubmission.limit else {
            throw list.error("must have at most \(EventSubmission.limit) events, had \(array.count)")
        }
        var events: [Numbered] = []
        for (index, value) in array.enumerated() {
            try events.append(Numbered(value.object()))
            guard (events[0].sequence == nil) == (events[index].sequence == nil) else {
                throw BarSessionError.mixedSequences(pointer: "\(list.pointer)/\(index)/sequence")
            }
        }
        guard let first = events.first else { throw list.error("must have an event") }
        self.init(first: first, others: Array(events.dropFirst()), isBatch: true)
    }
}

extension EventSubmission.Numbered {
    init(_ object: JSONObject) throws {
        let event = try object.event()
        self.init(event: event, sequence: object.isShortEvent ? nil : try object.optional("sequence")?.sequence())
    }
}

extension JSONValue {
    /// Reads the number of an event, from 1.
    fileprivate func sequence() throws -> Int {
        let number = try integer()
        guard number >= 1 else { throw error("must be at least 1") }
        _ = try self.number(named: "sequence")
        return number
    }
}

/// The part of the results that a client asks for.
struct ResultDetail: Sendable {
    let scope: Scope
    /// Whether each result has an explanation.
    let explains: Bool

    /// The state after the last event without commands, with the commands of all events, or also with all results.
    enum Scope: String, CaseIterable, Sendable {
        case last, all, none
    }

    static let last = ResultDetail(scope: .last, explains: false)
}

extension ResultDetail {
    /// Reads the query of `POST /v1/bars/{id}/events`; `explain` implies `results=all`.
    init(_ target: Target) throws(Problem) {
        if target.query == nil {
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

// Events and their geometry as JSON, both ways. The types of the domain validate their values.

extension JSONObject {
    private static let eventTypes = [
        "contentOffset", "panGesture", "contentSize", "frame", "contentInset", "expand", "set", "preconfigure",
    ]

    /// Whether an event has only a type and its payload, as nearly all events: other members are not looked up then.
    var isShortEvent: Bool { count == 2 }

    /// Reads an event without its number.
    func event() throws -> BarEvent {
        let type = try self["type"]
        let action: BarEvent.Action
        switch type {
        case "contentOffset": action = .contentOffset(try payload("contentOffset").point())
        case "contentSize": action = .contentSize(try payload("contentSize").size())
        case "frame": action = .frame(try payload("frame").rect())
        case "contentInset": action = .contentInset(try payload("contentInset").insets())
        case "expand": action = .expand(try payload("on").bool())
        case "set": action = .set(try payload("scrollable").scrollable())
        case "preconfigure": action = .preconfigure(try payload("scrollable").scrollable())
        case "panGesture":
            try only("type", "state", "velocity", "sequence", "timestamp", "scrollableId", "source")
            let state = try self["state"].choice(of: BarEvent.PanGestureState.self)
            action = .panGesture(state, velocity: try optional("velocity")?.point())
        default:
            _ = try type.string()
            throw type.mustBe(oneOf: JSONObject.eventTypes)
        }
        if isShortEvent { return BarEvent(action) }
        return BarEvent(
            action,
            source: try optional("source")?.choice(among: [BarEvent.Source.user, .animation]) ?? .user,
            scrollableID: try optional("scrollableId")?.string(atMost: Scrollable.idLimit),
            timestamp: try optional("timestamp")?.number(named: "timestamp")
        )
    }
}

/// Whether a value is this text, for a `switch`.
private func ~= (text: StaticString, value: JSONValue) -> Bool { value.isText(text) }

extension JSONValue {
    consuming func point() throws -> Point {
        let object = try object()
        let (x, y) = try object.doubles("x", "y")
        return try locating(object.pointer, Point(x: x, y: y))
    }

    consuming func size() throws -> Size {
        let object = try object()
        let (width, height) = try object.doubles("width", "height")
        return try locating(object.pointer, Size(width: width, height: height))
    }

    consuming func rect() throws -> Rect {
        let object = try object()
        try object.only("x", "y", "width", "height")
        let (x, y) = (try object.double("x"), try object.double("y"))
        let (width, height) = (try object.double("width"), try object.double("height"))
        return try locating(object.pointer, Rect(x: x, y: y, width: width, height: height))
    }

    consuming func insets() throws -> EdgeInsets {
        let object = try object()
        try object.only("top", "left", "bottom", "right")
        let (top, left) = (try object.double("top"), try object.double("left"))
        let (bottom, right) = (try object.double("bottom"), try object.double("right"))
        return try locating(object.pointer, EdgeInsets(top: top, left: left, bottom: bottom, right: right))
    }

    /// Reads a scroll view; by default its `id` is `main`, and it has no insets.
    ///
    /// That of a snapshot has both, and an offset and insets that the bar computed.
    consuming func scrollable(ofSnapshot isComputed: Bool = false) throws -> Scrollable {
        let object = try object()
        try object.only("id", "contentOffset", "contentSize", "frame", "contentInset")
        let id = try (isComputed ? object["id"] : object.optional("id"))?.string() ?? "main"
        let offset = try object["contentOffset"]
        let geometry = ScrollGeometry(
            contentOffset: isComputed ? try offset.computedPoint() : try offset.point(),
            contentSize: try object["contentSize"].size(),
            frame: try object["frame"].rect(),
            contentInset: isComputed
                ? try object["contentInset"].computedInsets()
                : try object.optional("contentInset")?.insets() ?? .zero
        )
        return try locating(object.pointer, Scrollable(id: id, geometry: geometry))
    }

    /// Reads a number within ±`limit`; an error has `name`.
    func number(named name: String, upTo limit: Double = Coordinate.limit) throws -> Double {
        let number = try double()
        guard abs(number) <= limit else { throw BarSessionError.invalid(pointer: pointer, .outOfRange(name)) }
        return number
    }
}

extension JSONObject {
    /// Returns the member that only events of this type have; refuses members that no such event has.
    fileprivate func payload(_ name: StaticString) throws -> JSONValue {
        if isShortEvent, let value = optional(name) { return value }
        try only("type", name, "sequence", "timestamp", "scrollableId", "source")
        return try self[name]
    }
}

/// Makes a value of the domain; adds the JSON Pointer of its source to an error.
func locating<Value>(
    _ pointer: @autoclosure () -> String,
    _ make: @autoclosure () throws(BarLayoutError) -> Value
) throws(BarSessionError) -> Value {
    do {
        return try make()
    } catch {
        throw .invalid(pointer: pointer() + (error.member.map { "/" + $0 } ?? ""), error)
    }
}

extension BarLayoutError {
    /// The member with the refused value; nil if the error is about several members.
    fileprivate var member: String? {
        switch self {
        case .outOfRange(let member), .negative(let member), .negativeHeight(let member), .length(let member, _): member
        case .keyframes: "keyframes"
        case .heightsNotAscending, .scrollableMismatch, .tooManyTracks, .trackName: nil
        }
    }
}

extension JSONWriter {
    /// Writes an entry of the log: an event as it was sent, with its number, or a change of the tracks with its revision.
    mutating func members(_ entry: NumberedEntry) {
        switch entry.content {
        case .event(let event):
            member("sequence", entry.sequence)
            members(event)
        case .tracks(let changes): members(changes, revision: entry.revision)
        }
    }

    private mutating func members(_ event: BarEvent) {
        switch event.action {
        case .contentOffset(let point):
            member("type", "contentOffset")
            member("contentOffset", point)
        case .contentSize(let size):
            member("type", "contentSize")
            member("contentSize", size)
        case .frame(let frame):
            member("type", "frame")
            member("frame", frame)
        case .contentInset(let inset):
            member("type", "contentInset")
            member("contentInset", inset)
        case .panGesture(let state, let velocity):
            member("type", "panGesture")
            member("state", state.rawValue)
            if let velocity { member("velocity", velocity) }
        case .expand(let on):
            member("type", "expand")
            member("on", on)
        case .set(let scrollable):
            member("type", "set")
            member("scrollable", scrollable)
        case .preconfigure(let scrollable):
            member("type", "preconfigure")
            member("scrollable", scrollable)
        }
        if event.source != .user { member("source", event.source.rawValue) }
        if let id = event.scrollableID { member("scrollableId", id) }
        if let timestamp = event.timestamp { member("timestamp", timestamp) }
    }

    /// Writes a member with an object of numbers.
    mutating func member(_ name: StaticString, _ numbers: KeyValuePairs<StaticString, Double>) {
        object(name) { json in
            for (name, number) in numbers { json.member(name, number) }
        }
    }

    mutating func member(_ name: StaticString, _ point: Point) { member(name, ["x": point.x, "y": point.y]) }

    mutating func member(_ name: StaticString, _ size: Size) {
        member(name, ["width": size.width, "height": size.height])
    }

    private mutating func member(_ name: StaticString, _ rect: Rect) {
        member(name, ["x": rect.x, "y": rect.y, "width": rect.width, "height": rect.height])
    }

    private mutating func member(_ name: StaticString, _ insets: EdgeInsets) {
        member(name, ["top": insets.top, "left": insets.left, "bottom": insets.bottom, "right": insets.right])
    }

    mutating func member(_ name: StaticString, _ scrollable: Scrollable) {
        object(name) { json in
            json.member("id", scrollable.id)
            json.member("contentOffset", scrollable.geometry.contentOffset)
            json.member("contentSize", scrollable.geometry.contentSize)
            json.member("frame", scrollable.geometry.frame)
            json.member("contentInset", scrollable.geometry.contentInset)
        }
    }
}

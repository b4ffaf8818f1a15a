import BarLayout

// Events as JSON, both ways. The types of BarLayout check the values.

extension BarEvent {
    /// The event as the service reads it, with its number.
    func json(sequence: Int) -> JSONDocument {
        let (type, member, value): (String, String, JSONDocument)
        var velocity: JSONDocument?
        switch action {
        case .contentOffset(let offset): (type, member, value) = ("contentOffset", "contentOffset", offset.json)
        case .contentSize(let size): (type, member, value) = ("contentSize", "contentSize", size.json)
        case .frame(let frame): (type, member, value) = ("frame", "frame", frame.json)
        case .contentInset(let inset): (type, member, value) = ("contentInset", "contentInset", inset.json)
        case .panGesture(let state, let speed):
            (type, member, value) = ("panGesture", "state", .string(state.rawValue))
            velocity = speed?.json
        case .expand(let on): (type, member, value) = ("expand", "on", .bool(on))
        case .set(let scrollable): (type, member, value) = ("set", "scrollable", scrollable.json)
        case .preconfigure(let scrollable): (type, member, value) = ("preconfigure", "scrollable", scrollable.json)
        }
        let members: [(String, JSONDocument?)] = [
            ("sequence", .number(Double(sequence))), ("type", .string(type)), (member, value), ("velocity", velocity),
            ("source", source == .user ? nil : .string(source.rawValue)),
            ("scrollableId", scrollableID.map(JSONDocument.string)), ("timestamp", timestamp.map(JSONDocument.number)),
        ]
        return .object(members.compactMap { name, value in value.map { JSONDocument.Member(name: name, value: $0) } })
    }

    /// Reads an event of the log.
    init(_ json: JSONDocument) throws {
        let action: Action
        switch json["type"]?.string {
        case "contentOffset": action = .contentOffset(try Point(json["contentOffset"]))
        case "contentSize": action = .contentSize(try Size(json["contentSize"]))
        case "frame": action = .frame(try Rect(json["frame"]))
        case "contentInset": action = .contentInset(try EdgeInsets(json["contentInset"]))
        case "panGesture":
            let state = try required(json["state"]?.string.flatMap(PanGestureState.init))
            action = .panGesture(state, velocity: try json["velocity"].map { try Point($0) })
        case "expand": action = .expand(try required(json["on"]?.bool))
        case "set": action = .set(try Scrollable(json["scrollable"]))
        case "preconfigure": action = .preconfigure(try Scrollable(json["scrollable"]))
        default: throw UnknownForm()
        }
        self.init(
            action,
            source: json["source"]?.string.flatMap(Source.init) ?? .user,
            scrollableID: json["scrollableId"]?.string,
            timestamp: json["timestamp"]?.double
        )
    }
}

/// The error for a response in a form that this version of the client does not know.
struct UnknownForm: Error {}

/// Returns the value; throws if it is nil.
func required<Value>(_ value: Value?) throws(UnknownForm) -> Value {
    guard let value else { throw UnknownForm() }
    return value
}

extension JSONDocument? {
    /// The number of a member that must be there.
    func number(_ name: String) throws(UnknownForm) -> Double { try required(self?[name]?.double) }
}

extension Point {
    init(_ json: JSONDocument?) throws { try self.init(x: json.number("x"), y: json.number("y")) }

    var json: JSONDocument { .object(["x": .number(x), "y": .number(y)]) }
}

extension Size {
    init(_ json: JSONDocument?) throws { try self.init(width: json.number("width"), height: json.number("height")) }

    var json: JSONDocument { .object(["width": .number(width), "height": .number(height)]) }
}

extension Rect {
    init(_ json: JSONDocument?) throws {
        try self.init(
            x: json.number("x"),
            y: json.number("y"),
            width: json.number("width"),
            height: json.number("height")
        )
    }

    var json: JSONDocument {
        .object(["x": .number(x), "y": .number(y), "width": .number(width), "height": .number(height)])
    }
}

extension EdgeInsets {
    init(_ json: JSONDocument?) throws {
        try self.init(
            top: json.number("top"),
            left: json.number("left"),
            bottom: json.number("bottom"),
            right: json.number("right")
        )
    }

    var json: JSONDocument {
        .object(["top": .number(top), "left": .number(left), "bottom": .number(bottom), "right": .number(right)])
    }
}

extension Scrollable {
    init(_ json: JSONDocument?) throws {
        let geometry = ScrollGeometry(
            contentOffset: try Point(json?["contentOffset"]),
            contentSize: try Size(json?["contentSize"]),
            frame: try Rect(json?["frame"]),
            contentInset: try EdgeInsets(json?["contentInset"])
        )
        try self.init(id: required(json?["id"]?.string), geometry: geometry)
    }

    var json: JSONDocument {
        .object([
            "id": .string(id),
            "contentOffset": geometry.contentOffset.json,
            "contentSize": geometry.contentSize.json,
            "frame": geometry.frame.json,
            "contentInset": geometry.contentInset.json,
        ])
    }
}

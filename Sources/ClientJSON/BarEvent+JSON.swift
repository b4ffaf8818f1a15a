package import BarLayout

extension BarEvent {
    /// The type of the event in JSON.
    package var type: String {
        switch action {
        case .contentOffset: "contentOffset"
        case .contentSize: "contentSize"
        case .frame: "frame"
        case .contentInset: "contentInset"
        case .panGesture: "panGesture"
        case .expand: "expand"
        case .set: "set"
        case .preconfigure: "preconfigure"
        }
    }

    package func json(sequence: Int) -> JSONDocument {
        let (member, value): (String, any JSONConvertible)
        var velocity: Point?
        switch action {
        case .contentOffset(let offset): (member, value) = ("contentOffset", offset)
        case .contentSize(let size): (member, value) = ("contentSize", size)
        case .frame(let frame): (member, value) = ("frame", frame)
        case .contentInset(let inset): (member, value) = ("contentInset", inset)
        case .panGesture(let state, let speed):
            (member, value) = ("state", state.rawValue)
            velocity = speed
        case .expand(let on): (member, value) = ("on", on)
        case .set(let scrollable): (member, value) = ("scrollable", scrollable)
        case .preconfigure(let scrollable): (member, value) = ("scrollable", scrollable)
        }
        let members: KeyValuePairs<String, (any JSONConvertible)?> = [
            "sequence": sequence, "type": type, member: value, "velocity": velocity,
            "source": source == .user ? nil : source.rawValue, "scrollableId": scrollableID, "timestamp": timestamp,
        ]
        return .object(members)
    }

    package init(_ json: JSONDocument) throws {
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

extension Point: JSONConvertible {
    package init(_ json: JSONDocument?) throws { try self.init(x: json.number("x"), y: json.number("y")) }
    package var json: JSONDocument { .object(["x": x, "y": y]) }
}

extension Size: JSONConvertible {
    package init(_ json: JSONDocument?) throws {
        try self.init(width: json.number("width"), height: json.number("height"))
    }
    package var json: JSONDocument { .object(["width": width, "height": height]) }
}

extension Rect: JSONConvertible {
    package init(_ json: JSONDocument?) throws {
        let (width, height) = (try json.number("width"), try json.number("height"))
        try self.init(x: json.number("x"), y: json.number("y"), width: width, height: height)
    }

    package var json: JSONDocument { .object(["x": x, "y": y, "width": width, "height": height]) }
}

extension EdgeInsets: JSONConvertible {
    package init(_ json: JSONDocument?) throws {
        let (top, left) = (try json.number("top"), try json.number("left"))
        try self.init(top: top, left: left, bottom: json.number("bottom"), right: json.number("right"))
    }

    package var json: JSONDocument { .object(["top": top, "left": left, "bottom": bottom, "right": right]) }
}

extension Scrollable: JSONConvertible {
    package init(_ json: JSONDocument?) throws {
        let geometry = ScrollGeometry(
            contentOffset: try Point(json?["contentOffset"]),
            contentSize: try Size(json?["contentSize"]),
            frame: try Rect(json?["frame"]),
            contentInset: try EdgeInsets(json?["contentInset"])
        )
        try self.init(id: required(json?["id"]?.string), geometry: geometry)
    }

    package var json: JSONDocument {
        .object([
            "id": id, "contentOffset": geometry.contentOffset, "contentSize": geometry.contentSize,
            "frame": geometry.frame, "contentInset": geometry.contentInset,
        ])
    }
}

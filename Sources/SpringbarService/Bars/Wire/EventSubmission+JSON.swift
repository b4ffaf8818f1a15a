import BarLayout
import JSON

extension EventSubmission {
    /// The most events of one request.
    static let limit = 500

    /// Reads one event, or an object whose only member `events` has 1 to 500 of them.
    init(json: JSONValue) throws {
        let object = try json.object()
        guard let list = object.optional("events") else {
            self.init(events: [try Numbered(json: json)], isBatch: false)
            return
        }
        try object.only("events")
        try self.init(list: list)
    }

    /// Reads a list of 1 to 500 events.
    init(list: JSONValue) throws {
        let array = try list.array()
        guard !array.isEmpty else { throw list.error("must have an event") }
        guard array.count <= EventSubmission.limit else {
            throw list.error("must have at most \(EventSubmission.limit) events, had \(array.count)")
        }
        var events: [Numbered] = []
        events.reserveCapacity(array.count)
        for (index, value) in array.enumerated() {
            let event = try Numbered(json: value)
            if let first = events.first, (first.sequence == nil) != (event.sequence == nil) {
                throw BarSessionError.mixedSequences(pointer: "\(list.pointer)/\(index)/sequence")
            }
            events.append(event)
        }
        self.init(events: events, isBatch: true)
    }
}

extension EventSubmission.Numbered {
    private enum Kind: String, CaseIterable {
        case contentOffset, panGesture, contentSize, frame, contentInset, expand, set, preconfigure
    }

    init(json: JSONValue) throws {
        let object = try json.object()
        let action: BarEvent.Action
        let type = try object["type"]
        // Nearly always the one, and seen without going over all of them.
        let kind = type.isText("contentOffset") ? .contentOffset : try type.choice(of: Kind.self)
        switch kind {
        case .contentOffset: action = .contentOffset(try object.payload("contentOffset").point())
        case .contentSize: action = .contentSize(try object.payload("contentSize").size())
        case .frame: action = .frame(try object.payload("frame").rect())
        case .contentInset: action = .contentInset(try object.payload("contentInset").insets())
        case .expand: action = .expand(try object.payload("on").bool())
        case .set: action = .set(try object.payload("scrollable").scrollable())
        case .preconfigure: action = .preconfigure(try object.payload("scrollable").scrollable())
        case .panGesture:
            try object.only("type", "state", "velocity", "sequence", "timestamp", "scrollableId", "source")
            let state = try object["state"].choice(of: BarEvent.PanGestureState.self)
            action = .panGesture(state, velocity: try object.optional("velocity")?.point())
        }
        // Many have a type and its payload and nothing else: then there is nothing to look for.
        guard object.count > 2 else {
            (sequence, event) = (nil, BarEvent(action))
            return
        }
        sequence = try object.optional("sequence")?.sequence()
        event = BarEvent(
            action,
            source: try object.optional("source")?.choice(among: [BarEvent.Source.user, .animation]) ?? .user,
            scrollableID: try object.optional("scrollableId")?.string(atMost: Scrollable.idLimit),
            timestamp: try object.optional("timestamp")?.timestamp()
        )
    }
}

extension JSONObject {
    /// The one member that an event of this type has beside those that all have.
    ///
    /// Inlined, so that `name` is a literal there and the list of names a constant.
    @inline(__always)
    fileprivate func payload(_ name: StaticString) throws -> JSONValue {
        // Its type has been found: with this one, two are all there are.
        if count == 2, let value = optional(name) { return value }
        try only("type", name, "sequence", "timestamp", "scrollableId", "source")
        return try self[name]
    }
}

extension JSONValue {
    /// The number of an event, from 1.
    fileprivate func sequence() throws -> Int {
        let number = try integer()
        guard number >= 1 else { throw error("must be at least 1") }
        guard Double(number) <= Coordinate.limit else {
            throw BarSessionError.invalid(pointer: pointer, .outOfRange("sequence"))
        }
        return number
    }

    /// A moment by the client's clock, in seconds.
    fileprivate func timestamp() throws -> Double {
        let number = try double()
        guard abs(number) <= Coordinate.limit else {
            throw BarSessionError.invalid(pointer: pointer, .outOfRange("timestamp"))
        }
        return number
    }
}

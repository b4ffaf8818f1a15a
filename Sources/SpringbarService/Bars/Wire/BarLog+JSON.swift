import BarLayout
import JSON

extension JSONWriter {
    /// An entry of the log: an event as it was sent, with its number, so that it can be sent again elsewhere; or a
    /// change of the tracks, which has a revision only.
    mutating func value(_ place: BarLog.Place) {
        object { json in
            switch place.entry {
            case .event(let event):
                json.member("sequence", place.sequence)
                json.members(event)
            case .tracks(let changes):
                json.member("type", "tracks")
                json.member("revision", place.revision)
                json.object("tracks") { json in
                    for change in changes { json.member(change) }
                }
            }
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

    private mutating func member(_ name: String, _ point: Point) {
        object(name) { json in
            json.member("x", point.x)
            json.member("y", point.y)
        }
    }

    private mutating func member(_ name: String, _ size: Size) {
        object(name) { json in
            json.member("width", size.width)
            json.member("height", size.height)
        }
    }

    private mutating func member(_ name: String, _ rect: Rect) {
        object(name) { json in
            json.member("x", rect.x)
            json.member("y", rect.y)
            json.member("width", rect.width)
            json.member("height", rect.height)
        }
    }

    private mutating func member(_ name: String, _ insets: EdgeInsets) {
        object(name) { json in
            json.member("top", insets.top)
            json.member("left", insets.left)
            json.member("bottom", insets.bottom)
            json.member("right", insets.right)
        }
    }

    private mutating func member(_ name: String, _ scrollable: Scrollable) {
        object(name) { json in
            json.member("id", scrollable.id)
            json.member("contentOffset", scrollable.geometry.contentOffset)
            json.member("contentSize", scrollable.geometry.contentSize)
            json.member("frame", scrollable.geometry.frame)
            json.member("contentInset", scrollable.geometry.contentInset)
        }
    }

    private mutating func member(_ change: TrackChange) {
        switch change {
        case .remove(let name):
            key(name)
            null()
        case .set(let track):
            object(track.name) { json in
                switch track.curve {
                case .ranges(let compactNormal, let normalExpanded):
                    json.member("compactNormalRange", compactNormal)
                    json.member("normalExpandedRange", normalExpanded)
                case .keyframes(let keyframes): json.member(keyframes)
                }
            }
        }
    }

    private mutating func member(_ name: String, _ range: ValueRange) {
        object(name) { json in
            switch range {
            case .value(let value): json.member("value", value)
            case .range(let first, let second):
                json.array("range") { json in
                    json.value(first)
                    json.value(second)
                }
            }
        }
    }

    private mutating func member(_ keyframes: Keyframes) {
        array("keyframes") { json in
            for point in keyframes.points {
                json.object { json in
                    json.member("progress", point.progress)
                    json.member("value", point.value)
                }
            }
        }
    }
}

package import BarLayout

/// What stands in a log.
package enum BarLogEntry: Sendable, Equatable {
    /// An event; its number follows from its place.
    case event(BarEvent)
    /// A change of the tracks, which has no number.
    case tracks([TrackChange])
}

// One byte says what follows: the kind in the lower half, in the upper one what else there is.
extension BarLogEntry {
    private enum Kind: UInt8 {
        case contentOffset, contentSize, frame, contentInset, panGesture, expand, set, preconfigure, tracks
    }

    private static let animation: UInt8 = 0x10
    private static let hasScrollableID: UInt8 = 0x20
    private static let hasTimestamp: UInt8 = 0x40
    /// The velocity of a pan, or the `true` of an expand.
    private static let hasMore: UInt8 = 0x80

    func write(to bytes: inout ByteWriter) {
        switch self {
        case .event(let event): BarLogEntry.write(event, to: &bytes)
        case .tracks(let changes):
            bytes.put(Kind.tracks.rawValue)
            bytes.put(changes)
        }
    }

    private static func write(_ event: BarEvent, to bytes: inout ByteWriter) {
        var head: UInt8 = event.source == .animation ? animation : 0
        if event.scrollableID != nil { head |= hasScrollableID }
        if event.timestamp != nil { head |= hasTimestamp }
        switch event.action {
        case .contentOffset(let point):
            bytes.put(head | Kind.contentOffset.rawValue)
            bytes.put(point)
        case .contentSize(let size):
            bytes.put(head | Kind.contentSize.rawValue)
            bytes.put(size)
        case .frame(let frame):
            bytes.put(head | Kind.frame.rawValue)
            bytes.put(frame)
        case .contentInset(let inset):
            bytes.put(head | Kind.contentInset.rawValue)
            bytes.put(inset)
        case .panGesture(let state, let velocity):
            bytes.put(head | (velocity == nil ? 0 : hasMore) | Kind.panGesture.rawValue)
            bytes.put(state)
            if let velocity { bytes.put(velocity) }
        case .expand(let on):
            bytes.put(head | (on ? hasMore : 0) | Kind.expand.rawValue)
        case .set(let scrollable):
            bytes.put(head | Kind.set.rawValue)
            bytes.put(scrollable)
        case .preconfigure(let scrollable):
            bytes.put(head | Kind.preconfigure.rawValue)
            bytes.put(scrollable)
        }
        if let id = event.scrollableID { bytes.put(id) }
        if let timestamp = event.timestamp { bytes.put(timestamp) }
    }

    /// The bytes that ``write(to:)`` puts.
    var byteCount: Int {
        switch self {
        case .event(let event):
            let name = event.scrollableID.map { 4 + $0.utf8.count } ?? 0
            return 1 + event.action.byteCount + name + (event.timestamp == nil ? 0 : 8)
        case .tracks(let changes): return changes.reduce(5) { $0 + $1.byteCount }
        }
    }

    init(from bytes: inout ByteReader) {
        let head = bytes.byte()
        guard let kind = Kind(rawValue: head & 0x0F) else { preconditionFailure("the log has an unknown entry") }
        let action: BarEvent.Action
        switch kind {
        case .contentOffset: action = .contentOffset(bytes.point())
        case .contentSize: action = .contentSize(bytes.size())
        case .frame: action = .frame(bytes.rect())
        case .contentInset: action = .contentInset(bytes.insets())
        case .panGesture:
            let state = bytes.gesture()
            action = .panGesture(state, velocity: head & BarLogEntry.hasMore == 0 ? nil : bytes.point())
        case .expand: action = .expand(head & BarLogEntry.hasMore != 0)
        case .set: action = .set(bytes.scrollable())
        case .preconfigure: action = .preconfigure(bytes.scrollable())
        case .tracks:
            self = .tracks(bytes.trackChanges())
            return
        }
        self = .event(
            BarEvent(
                action,
                source: head & BarLogEntry.animation == 0 ? .user : .animation,
                scrollableID: head & BarLogEntry.hasScrollableID == 0 ? nil : bytes.text(),
                timestamp: head & BarLogEntry.hasTimestamp == 0 ? nil : bytes.double()
            )
        )
    }
}

extension BarEvent.Action {
    /// The bytes of an event of this kind behind its head.
    fileprivate var byteCount: Int {
        switch self {
        case .contentOffset, .contentSize: 16
        case .panGesture(_, let velocity): velocity == nil ? 1 : 17
        case .frame, .contentInset: 32
        case .expand: 0
        case .set(let scrollable), .preconfigure(let scrollable): 4 + scrollable.id.utf8.count + 12 * 8
        }
    }
}

extension TrackChange {
    /// The bytes of a change.
    fileprivate var byteCount: Int {
        switch self {
        case .remove(let name): return 5 + name.utf8.count
        case .set(let track):
            let name = 5 + track.name.utf8.count
            switch track.curve {
            case .ranges(let compactNormal, let normalExpanded):
                return name + compactNormal.byteCount + normalExpanded.byteCount
            case .keyframes(let keyframes): return name + 4 + keyframes.points.count * 16
            }
        }
    }
}

extension ValueRange {
    fileprivate var byteCount: Int {
        switch self {
        case .value: 9
        case .range: 17
        }
    }
}

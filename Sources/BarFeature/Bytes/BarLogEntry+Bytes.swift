package import BarLayout
import Primitives

/// An entry of a log.
package enum BarLogEntry: Sendable, Equatable {
    /// An event; its number follows from its position.
    case event(BarEvent)
    /// A change of the tracks, which has no number.
    case tracks([TrackChange])
}

extension BarLogEntry {
    /// The weight of an entry beside its bytes, which limits the number of small ones: as JSON, or decoded, an entry is
    /// much larger than its bytes.
    private static let overhead = 64

    /// Returns the extent of the entry; as JSON, changes of tracks have up to eleven times their bytes, so they weigh twice.
    func extent(byteCount: Int) -> LogExtent {
        switch self {
        case .event: LogExtent(events: 1, weight: BarLogEntry.overhead + byteCount)
        case .tracks: LogExtent(events: 0, weight: BarLogEntry.overhead + 2 * byteCount)
        }
    }
}

// The first byte of an entry has its kind in the lower half, and flags for its optional parts in the upper half.
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
            bytes.put(count: changes.count)
            for change in changes { bytes.put(change) }
        }
    }

    private static func write(_ event: BarEvent, to bytes: inout ByteWriter) {
        var head: UInt8 = 0
        if case .animation = event.source { head = animation }
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

    /// Reads the entry that ``write(to:)`` wrote.
    init(from bytes: inout ByteReader) throws(StoredBytesError) {
        let head = try bytes.byte()
        guard let kind = Kind(rawValue: head & 0x0F) else { throw .unknownKind(head) }
        let hasMore = head & BarLogEntry.hasMore != 0
        let action: BarEvent.Action
        switch kind {
        case .contentOffset: action = .contentOffset(try bytes.point())
        case .contentSize: action = .contentSize(try bytes.size())
        case .frame: action = .frame(try bytes.rect())
        case .contentInset: action = .contentInset(try bytes.insets())
        case .panGesture:
            let state = try bytes.gesture()
            action = .panGesture(state, velocity: hasMore ? try bytes.point() : nil)
        case .expand: action = .expand(hasMore)
        case .set: action = .set(try bytes.scrollable())
        case .preconfigure: action = .preconfigure(try bytes.scrollable())
        case .tracks:
            self = .tracks(try bytes.list { (bytes) throws(StoredBytesError) in try bytes.trackChange() })
            return
        }
        self = .event(
            BarEvent(
                action,
                source: head & BarLogEntry.animation == 0 ? .user : .animation,
                scrollableID: head & BarLogEntry.hasScrollableID == 0 ? nil : try bytes.text(),
                timestamp: head & BarLogEntry.hasTimestamp == 0 ? nil : try bytes.double()
            )
        )
    }
}

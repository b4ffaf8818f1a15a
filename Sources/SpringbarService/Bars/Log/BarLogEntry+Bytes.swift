package import BarLayout

/// An entry of a log.
package enum BarLogEntry: Sendable, Equatable {
    /// An event; its number follows from its position.
    case event(BarEvent)
    /// A change of the tracks, which has no number.
    case tracks([TrackChange])
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

// MARK: Geometry

extension ByteWriter {
    fileprivate mutating func put(_ point: Point) {
        put(point.x)
        put(point.y)
    }

    fileprivate mutating func put(_ size: Size) {
        put(size.width)
        put(size.height)
    }

    fileprivate mutating func put(_ rect: Rect) {
        put(rect.x)
        put(rect.y)
        put(rect.width)
        put(rect.height)
    }

    fileprivate mutating func put(_ insets: EdgeInsets) {
        put(insets.top)
        put(insets.left)
        put(insets.bottom)
        put(insets.right)
    }

    fileprivate mutating func put(_ scrollable: Scrollable) {
        put(scrollable.id)
        put(scrollable.geometry.contentOffset)
        put(scrollable.geometry.contentSize)
        put(scrollable.geometry.frame)
        put(scrollable.geometry.contentInset)
    }

    fileprivate mutating func put(_ gesture: BarEvent.PanGestureState) {
        // `!`: a case is an element of the list of all cases.
        put(UInt8(BarEvent.PanGestureState.allCases.firstIndex(of: gesture)!))
    }
}

extension ByteReader {
    fileprivate mutating func point() throws(StoredBytesError) -> Point {
        let (x, y) = (try double(), try double())
        return try valid(Point(x: x, y: y))
    }

    fileprivate mutating func size() throws(StoredBytesError) -> Size {
        let (width, height) = (try double(), try double())
        return try valid(Size(width: width, height: height))
    }

    fileprivate mutating func rect() throws(StoredBytesError) -> Rect {
        let (x, y, width, height) = (try double(), try double(), try double(), try double())
        return try valid(Rect(x: x, y: y, width: width, height: height))
    }

    fileprivate mutating func insets() throws(StoredBytesError) -> EdgeInsets {
        let (top, left, bottom, right) = (try double(), try double(), try double(), try double())
        return try valid(EdgeInsets(top: top, left: left, bottom: bottom, right: right))
    }

    fileprivate mutating func scrollable() throws(StoredBytesError) -> Scrollable {
        let id = try text()
        let geometry = ScrollGeometry(
            contentOffset: try point(),
            contentSize: try size(),
            frame: try rect(),
            contentInset: try insets()
        )
        return try valid(Scrollable(id: id, geometry: geometry))
    }

    fileprivate mutating func gesture() throws(StoredBytesError) -> BarEvent.PanGestureState {
        let index = try byte()
        guard index < BarEvent.PanGestureState.allCases.count else { throw .unknownKind(index) }
        return BarEvent.PanGestureState.allCases[Int(index)]
    }

    /// Makes a value whose initialiser validates its parts.
    private func valid<Value>(_ make: @autoclosure () throws(BarLayoutError) -> Value) throws(StoredBytesError) -> Value
    {
        do { return try make() } catch { throw .invalid(error) }
    }
}

// MARK: Tracks

private enum TrackKind {
    static let removal: UInt8 = 0
    static let ranges: UInt8 = 1
    static let keyframes: UInt8 = 2
}

extension ByteWriter {
    fileprivate mutating func put(_ change: TrackChange) {
        switch change {
        case .remove(let name):
            put(TrackKind.removal)
            put(name)
        case .set(let track):
            switch track.curve {
            case .ranges(let compactNormal, let normalExpanded):
                put(TrackKind.ranges)
                put(track.name)
                put(compactNormal)
                put(normalExpanded)
            case .keyframes(let keyframes):
                put(TrackKind.keyframes)
                put(track.name)
                put(count: keyframes.points.count)
                for point in keyframes.points {
                    put(point.progress)
                    put(point.value)
                }
            }
        }
    }

    private mutating func put(_ range: ValueRange) {
        switch range {
        case .value(let value):
            put(0 as UInt8)
            put(value)
        case .range(let first, let second):
            put(1 as UInt8)
            put(first)
            put(second)
        }
    }
}

extension ByteReader {
    fileprivate mutating func trackChange() throws(StoredBytesError) -> TrackChange {
        let kind = try byte()
        let name = try text()
        let curve: Track.Curve
        switch kind {
        case TrackKind.removal: return .remove(name)
        case TrackKind.ranges: curve = .ranges(compactNormal: try valueRange(), normalExpanded: try valueRange())
        case TrackKind.keyframes:
            let points = try list { (bytes) throws(StoredBytesError) in try bytes.keyframe() }
            curve = .keyframes(try valid(Keyframes(points)))
        default: throw .unknownKind(kind)
        }
        return .set(try valid(Track(name: name, curve: curve)))
    }

    private mutating func keyframe() throws(StoredBytesError) -> Keyframe {
        let (progress, value) = (try double(), try double())
        return try valid(Keyframe(progress: progress, value: value))
    }

    private mutating func valueRange() throws(StoredBytesError) -> ValueRange {
        let kind = try byte()
        switch kind {
        case 0: return .value(try double())
        case 1: return .range(try double(), try double())
        default: throw .unknownKind(kind)
        }
    }
}

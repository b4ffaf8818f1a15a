import BarLayout
import Primitives
package import StoredBytes

// A stored bar is its present record, the start of its log, and the entries of the log after the start, in this codec.
// A store adds the version by which it recognises an earlier write: the revision, which is not in the bytes of a
// record.

/// The number of events in a log, and its cost.
///
/// A bar has the extent of its log in its record, so a writer needs no log to see that it is full.
package struct LogExtent: Sendable, Equatable {
    package var events: Int
    /// The cost of all entries; 0 for an empty log.
    package var cost: Int

    package init(events: Int = 0, cost: Int = 0) {
        self.events = events
        self.cost = cost
    }

    package static func + (left: LogExtent, right: LogExtent) -> LogExtent {
        LogExtent(events: left.events + right.events, cost: left.cost + right.cost)
    }
}

extension BarRecord {
    /// The format of records and starts, with which both begin.
    static let format: UInt8 = 4

    package var startBytes: [UInt8] {
        var writer = ByteWriter(capacity: 96)
        writer.put(BarRecord.format)
        writer.put(number: revision)
        writer.put(number: lastSequence)
        writer.put(session)
        return writer.bytes
    }
}

extension ByteWriter {
    /// Appends a record and the extent of the log: about 60 bytes, and the tracks.
    package mutating func put(_ record: borrowing BarRecord, log: LogExtent) {
        put(BarRecord.format)
        put(end: record.expiresAt)
        put(number: record.ttlSeconds)
        put(number: record.lastSequence)
        put(number: log.events)
        put(number: log.cost)
        put(record.session)
    }

    /// Appends the end of a bar, which always takes 6 bytes.
    mutating func put(end moment: WallTime) {
        // The last moment is in the year 10889.
        let milliseconds = min(max(0, moment.milliseconds), 1 << 48 - 1)
        put(highest: 6, of: UInt64(milliseconds) << 16)
    }
}

extension ByteReader {
    /// Reads a record, which has this revision, and the extent of its log.
    package mutating func record(revision: Int) throws(StoredBytesError) -> (record: BarRecord, log: LogExtent) {
        try requireFormat()
        let expiresAt = try end()
        let (ttlSeconds, lastSequence) = (try number(), try number())
        let log = LogExtent(events: try number(), cost: try number())
        // Far above every stored number, and far below those that overflow when the bar changes.
        guard revision <= 1 << 56, lastSequence <= revision, ttlSeconds <= BarCreation.ttlRange.upperBound,
            max(log.events, log.cost) <= 1 << 32
        else { throw .numberTooLarge }
        let record = BarRecord(
            session: try session(),
            revision: revision,
            lastSequence: lastSequence,
            ttlSeconds: ttlSeconds,
            expiresAt: expiresAt
        )
        return (record, log)
    }

    mutating func end() throws(StoredBytesError) -> WallTime {
        var milliseconds = 0
        for _ in 0..<6 { milliseconds = milliseconds << 8 | Int(try byte()) }
        return WallTime(milliseconds: milliseconds)
    }

    mutating func start() throws(StoredBytesError) -> BarRecord {
        try requireFormat()
        let (revision, lastSequence) = (try number(), try number())
        guard lastSequence <= revision else { throw .numberTooLarge }
        return BarRecord(session: try session(), revision: revision, lastSequence: lastSequence)
    }

    mutating func requireFormat() throws(StoredBytesError) {
        let format = try byte()
        guard format == BarRecord.format else { throw .unknownFormat(format) }
    }
}

/// The flags of a session, in two bytes.
private struct SessionFlags: OptionSet {
    var rawValue: UInt16

    static let echoed = SessionFlags(rawValue: 1 << 0)
    static let canExpand = SessionFlags(rawValue: 1 << 1)
    static let hasPreviousOffset = SessionFlags(rawValue: 1 << 2)
    static let hasPreviousSize = SessionFlags(rawValue: 1 << 3)
    static let hasResistance = SessionFlags(rawValue: 1 << 4)
    static let snapProjected = SessionFlags(rawValue: 1 << 5)
    static let snapNone = SessionFlags(rawValue: 1 << 6)
    static let snapSequential = SessionFlags(rawValue: 1 << 7)
    static let snapOnCancel = SessionFlags(rawValue: 1 << 8)
    static let clampTargets = SessionFlags(rawValue: 1 << 9)
    static let reopensAtTop = SessionFlags(rawValue: 1 << 10)
    static let hasTolerance = SessionFlags(rawValue: 1 << 11)

    /// The bits that this version knows.
    static let known = SessionFlags(rawValue: 1 << 12 - 1)
}

extension ByteWriter {
    /// Appends a session: about 80 bytes, and its tracks.
    mutating func put(_ session: BarSession) {
        let (snapshot, options) = (session.snapshot, session.options)
        var flags: SessionFlags = []
        if session.feedback == .echoed { flags.insert(.echoed) }
        if snapshot.state.isExpandedStateAvailable { flags.insert(.canExpand) }
        if snapshot.previousContentOffset != nil { flags.insert(.hasPreviousOffset) }
        if snapshot.previousContentSize != nil { flags.insert(.hasPreviousSize) }
        if options.resistance != nil { flags.insert(.hasResistance) }
        if case .projected = options.snap { flags.insert(.snapProjected) }
        if case .none = options.snap { flags.insert(.snapNone) }
        if options.snapSequential { flags.insert(.snapSequential) }
        if options.snapOnCancel { flags.insert(.snapOnCancel) }
        if options.clampTargets { flags.insert(.clampTargets) }
        if options.reopen == .top { flags.insert(.reopensAtTop) }
        if options.tolerance != .none { flags.insert(.hasTolerance) }
        put(UInt8(truncatingIfNeeded: flags.rawValue))
        put(UInt8(truncatingIfNeeded: flags.rawValue >> 8))
        put(options.fixes.rawValue)
        if case .projected(let rate) = options.snap { put(rate.value) }
        if options.tolerance != .none { put(options.tolerance.points) }
        if let resistance = options.resistance { put(resistance.dimension, resistance.constant) }
        put(session.configuration.compactStateHeight)
        put(session.configuration.normalStateHeight)
        put(session.configuration.expandedStateHeight)
        put(snapshot.state.offset)
        put(snapshot.scrollable)
        if let point = snapshot.previousContentOffset { put(point) }
        if let size = snapshot.previousContentSize { put(size) }
        put(snapshot.baseInsetBottom)
        put(number: session.tracks.all.count)
        for track in session.tracks.all { put(track) }
    }
}

extension ByteReader {
    /// Reads the session that a writer appended.
    mutating func session() throws(StoredBytesError) -> BarSession {
        let low = UInt16(try byte())
        let flags = SessionFlags(rawValue: low | UInt16(try byte()) << 8)
        // A newer version's option must not be lost by a write of this one.
        guard SessionFlags.known.isSuperset(of: flags) else { throw .unknownFlags(flags.rawValue) }
        let options = try options(flags)
        let (compact, normal, expanded) = (try length(), try length(), try length())
        let configuration = try valid(
            BarConfiguration(compactStateHeight: compact, normalStateHeight: normal, expandedStateHeight: expanded)
        )
        let state = BarState(
            offset: try length(),
            isExpandedStateAvailable: flags.contains(.canExpand),
            configuration: configuration
        )
        let snapshot = BarSession.Snapshot(
            state: state,
            scrollable: try scrollable(),
            previousContentOffset: flags.contains(.hasPreviousOffset) ? try point() : nil,
            previousContentSize: flags.contains(.hasPreviousSize) ? try size() : nil,
            baseInsetBottom: try length()
        )
        var tracks = Tracks()
        let changes = try list { (bytes) throws(StoredBytesError) in try bytes.trackChange() }
        if !changes.isEmpty { try valid(tracks.apply(changes)) }
        let feedback = flags.contains(.echoed) ? Feedback.echoed : .applied
        return BarSession(restoring: snapshot, feedback: feedback, options: options, tracks: tracks)
    }

    private mutating func options(_ flags: SessionFlags) throws(StoredBytesError) -> BarOptions {
        let fixes = BarOptions.Fixes(rawValue: try byte())
        guard BarOptions.Fixes.all.isSuperset(of: fixes) else { throw .unknownFlags(UInt16(fixes.rawValue)) }
        var snap = flags.contains(.snapNone) ? BarOptions.Snap.none : .nearest
        if flags.contains(.snapProjected) {
            let rate = try length()
            snap = .projected(try valid(DecelerationRate(rate)))
        }
        var tolerance = Tolerance.none
        if flags.contains(.hasTolerance) {
            let points = try length()
            tolerance = try valid(Tolerance(points: points))
        }
        var resistance: Resistance?
        if flags.contains(.hasResistance) {
            let (dimension, constant) = (try length(), try length())
            resistance = try valid(Resistance(dimension: dimension, constant: constant))
        }
        return BarOptions(
            snap: snap,
            snapSequential: flags.contains(.snapSequential),
            snapOnCancel: flags.contains(.snapOnCancel),
            clampTargets: flags.contains(.clampTargets),
            reopen: flags.contains(.reopensAtTop) ? .top : .anywhere,
            tolerance: tolerance,
            resistance: resistance,
            fixes: fixes
        )
    }

    /// Creates a value by an initialiser that validates its parts.
    func valid<Value>(_ make: @autoclosure () throws(BarLayoutError) -> Value) throws(StoredBytesError) -> Value {
        do { return try make() } catch { throw .invalid(error) }
    }
}

extension StoredBytesError {
    /// The error for a value, or an event, that the rules of bars do not allow.
    static func invalid(_ error: BarLayoutError) -> StoredBytesError { .invalid(reason: "\(error)") }
}

extension ByteWriter {
    mutating func put(_ first: Double, _ second: Double) {
        put(first)
        put(second)
    }

    mutating func put(_ point: Point) { put(point.x, point.y) }

    mutating func put(_ size: Size) { put(size.width, size.height) }

    mutating func put(_ rect: Rect) {
        put(rect.x, rect.y)
        put(rect.width, rect.height)
    }

    mutating func put(_ insets: EdgeInsets) {
        put(insets.top, insets.left)
        put(insets.bottom, insets.right)
    }

    mutating func put(_ scrollable: Scrollable) {
        put(scrollable.id)
        put(scrollable.geometry.contentOffset)
        put(scrollable.geometry.contentSize)
        put(scrollable.geometry.frame)
        put(scrollable.geometry.contentInset)
    }
}

extension ByteReader {
    /// Reads a number of a bar.
    ///
    /// A client sends numbers up to 1e9, and sums of many stay far below this limit. Sums of numbers below it are finite.
    mutating func length() throws(StoredBytesError) -> Double {
        let number = try double()
        guard abs(number) <= 1e100 else { throw .numberTooLarge }
        return number
    }

    /// Reads a finite number of any size, such as a velocity that was divided by a small distance.
    mutating func finite() throws(StoredBytesError) -> Double {
        let number = try double()
        guard number.isFinite else { throw .numberTooLarge }
        return number
    }

    mutating func point() throws(StoredBytesError) -> Point { Point(computedX: try length(), y: try length()) }

    mutating func size() throws(StoredBytesError) -> Size {
        let (width, height) = (try length(), try length())
        return try valid(Size(width: width, height: height))
    }

    mutating func rect() throws(StoredBytesError) -> Rect {
        let (x, y, width, height) = (try length(), try length(), try length(), try length())
        return try valid(Rect(x: x, y: y, width: width, height: height))
    }

    mutating func insets() throws(StoredBytesError) -> EdgeInsets {
        EdgeInsets(computedTop: try length(), left: try length(), bottom: try length(), right: try length())
    }

    mutating func scrollable() throws(StoredBytesError) -> Scrollable {
        let id = try text()
        let geometry = ScrollGeometry(
            contentOffset: try point(),
            contentSize: try size(),
            frame: try rect(),
            contentInset: try insets()
        )
        return try valid(Scrollable(id: id, geometry: geometry))
    }
}

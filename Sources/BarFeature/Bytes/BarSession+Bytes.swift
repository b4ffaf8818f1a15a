import BarLayout
import Primitives

/// The flags of a session, in two bytes.
private struct SessionFlags: OptionSet {
    let rawValue: UInt16

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

    /// The bits that this version knows.
    static let known = SessionFlags(rawValue: 1 << 10 - 1)
}

extension ByteWriter {
    /// Appends a session: about 80 bytes, and its tracks.
    mutating func put(_ session: BarSession) {
        let (snapshot, options) = (session.snapshot, session.options)
        let flags = SessionFlags(session)
        put(UInt8(truncatingIfNeeded: flags.rawValue))
        put(UInt8(truncatingIfNeeded: flags.rawValue >> 8))
        put(options.fixes.rawValue)
        if case .projected(let rate) = options.snap { put(rate.value) }
        if let resistance = options.resistance {
            put(resistance.dimension)
            put(resistance.constant)
        }
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

extension SessionFlags {
    init(_ session: BarSession) {
        let (snapshot, options) = (session.snapshot, session.options)
        var flags: SessionFlags = []
        if session.feedback == .echoed { flags.insert(.echoed) }
        if snapshot.state.isExpandedStateAvailable { flags.insert(.canExpand) }
        if snapshot.previousContentOffset != nil { flags.insert(.hasPreviousOffset) }
        if snapshot.previousContentSize != nil { flags.insert(.hasPreviousSize) }
        if options.resistance != nil { flags.insert(.hasResistance) }
        switch options.snap {
        case .nearest: break
        case .projected: flags.insert(.snapProjected)
        case .none: flags.insert(.snapNone)
        }
        if options.snapSequential { flags.insert(.snapSequential) }
        if options.snapOnCancel { flags.insert(.snapOnCancel) }
        if options.clampTargets { flags.insert(.clampTargets) }
        self = flags
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
        let (compact, normal, expanded) = (try double(), try double(), try double())
        let configuration = try valid(
            BarConfiguration(
                compactStateHeight: compact,
                normalStateHeight: normal,
                expandedStateHeight: expanded
            )
        )
        let offset = try double()
        let state = try valid(
            BarState(
                restoring: offset,
                isExpandedStateAvailable: flags.contains(.canExpand),
                configuration: configuration
            )
        )
        let scrollable = try computedScrollable()
        let previousOffset = flags.contains(.hasPreviousOffset) ? try computedPoint() : nil
        let previousSize = flags.contains(.hasPreviousSize) ? try size() : nil
        let baseInset = try double()
        let snapshot = try valid(
            BarSession.Snapshot(
                state: state,
                scrollable: scrollable,
                previousContentOffset: previousOffset,
                previousContentSize: previousSize,
                baseInsetBottom: baseInset
            )
        )
        return BarSession(
            restoring: snapshot,
            feedback: flags.contains(.echoed) ? .echoed : .applied,
            options: options,
            tracks: try tracks()
        )
    }

    private mutating func options(_ flags: SessionFlags) throws(StoredBytesError) -> BarOptions {
        let fixes = BarOptions.Fixes(rawValue: try byte())
        guard BarOptions.Fixes.all.isSuperset(of: fixes) else { throw .unknownFlags(UInt16(fixes.rawValue)) }
        var snap = flags.contains(.snapNone) ? BarOptions.Snap.none : .nearest
        if flags.contains(.snapProjected) {
            let rate = try double()
            snap = .projected(try valid(DecelerationRate(rate)))
        }
        var resistance: Resistance?
        if flags.contains(.hasResistance) {
            let (dimension, constant) = (try double(), try double())
            resistance = try valid(Resistance(dimension: dimension, constant: constant))
        }
        return BarOptions(
            snap: snap,
            snapSequential: flags.contains(.snapSequential),
            snapOnCancel: flags.contains(.snapOnCancel),
            clampTargets: flags.contains(.clampTargets),
            resistance: resistance,
            fixes: fixes
        )
    }

    private mutating func tracks() throws(StoredBytesError) -> Tracks {
        let count = try number()
        guard count <= Tracks.limit else { throw .invalid(.tooManyTracks(limit: Tracks.limit)) }
        var changes: [TrackChange] = []
        for _ in 0..<count { changes.append(try trackChange()) }
        var tracks = Tracks()
        if !changes.isEmpty {
            do throws(BarLayoutError) { try tracks.apply(changes) } catch { throw .invalid(error) }
        }
        return tracks
    }
}

extension ByteReader {
    /// Creates a value by an initialiser that validates its parts.
    func valid<Value>(_ make: @autoclosure () throws(BarLayoutError) -> Value) throws(StoredBytesError) -> Value {
        do { return try make() } catch { throw .invalid(error) }
    }
}

extension StoredBytesError {
    /// The error for a value, or an event, that the rules of bars do not allow.
    static func invalid(_ error: BarLayoutError) -> StoredBytesError { .invalid(reason: "\(error)") }
}

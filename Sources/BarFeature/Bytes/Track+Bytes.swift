import BarLayout
import Primitives

private enum TrackKind {
    static let removal: UInt8 = 0
    static let ranges: UInt8 = 1
    static let keyframes: UInt8 = 2
}

extension ByteWriter {
    mutating func put(_ change: TrackChange) {
        switch change {
        case .remove(let name):
            put(TrackKind.removal)
            put(name)
        case .set(let track): put(track)
        }
    }

    mutating func put(_ track: Track) {
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
    mutating func trackChange() throws(StoredBytesError) -> TrackChange {
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

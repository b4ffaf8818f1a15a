import BarLayout
import StoredBytes

private enum TrackKind: UInt8 {
    case removal, ranges, keyframes
}

extension ByteWriter {
    mutating func put(_ change: TrackChange) {
        switch change {
        case .remove(let name):
            put(TrackKind.removal.rawValue)
            put(name)
        case .set(let track): put(track)
        }
    }

    mutating func put(_ track: Track) {
        switch track.curve {
        case .ranges(let compactNormal, let normalExpanded):
            put(TrackKind.ranges.rawValue)
            put(track.name)
            put(compactNormal)
            put(normalExpanded)
        case .keyframes(let keyframes):
            put(TrackKind.keyframes.rawValue)
            put(track.name)
            put(number: keyframes.points.count)
            for point in keyframes.points { put(point.progress, point.value) }
        }
    }

    private mutating func put(_ range: ValueRange) {
        switch range {
        case .value(let value):
            put(0 as UInt8)
            put(value)
        case .range(let first, let second):
            put(1 as UInt8)
            put(first, second)
        }
    }
}

extension ByteReader {
    mutating func trackChange() throws(StoredBytesError) -> TrackChange {
        let (kind, name) = (try byte(), try text())
        let curve: Track.Curve
        switch TrackKind(rawValue: kind) {
        case .removal: return .remove(name)
        case .ranges: curve = .ranges(compactNormal: try valueRange(), normalExpanded: try valueRange())
        case .keyframes:
            let points = try list { (bytes) throws(StoredBytesError) in
                let (progress, value) = (try bytes.length(), try bytes.length())
                return try bytes.valid(Keyframe(progress: progress, value: value))
            }
            curve = .keyframes(try valid(Keyframes(points)))
        case nil: throw .unknownKind(kind)
        }
        return .set(try valid(Track(name: name, curve: curve)))
    }

    private mutating func valueRange() throws(StoredBytesError) -> ValueRange {
        switch try byte() {
        case 0: .value(try length())
        case 1: .range(try length(), try length())
        case let kind: throw .unknownKind(kind)
        }
    }
}

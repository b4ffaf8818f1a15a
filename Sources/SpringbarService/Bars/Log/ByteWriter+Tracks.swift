import BarLayout

extension ByteWriter {
    private static let removal: UInt8 = 0
    private static let ranges: UInt8 = 1
    private static let keyframes: UInt8 = 2

    mutating func put(_ changes: [TrackChange]) {
        put(count: changes.count)
        for change in changes {
            switch change {
            case .remove(let name):
                put(ByteWriter.removal)
                put(name)
            case .set(let track): put(track)
            }
        }
    }

    private mutating func put(_ track: Track) {
        switch track.curve {
        case .ranges(let compactNormal, let normalExpanded):
            put(ByteWriter.ranges)
            put(track.name)
            put(compactNormal)
            put(normalExpanded)
        case .keyframes(let keyframes):
            put(ByteWriter.keyframes)
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

// As in `ByteWriter+Geometry.swift`: what was put in had passed the validating initialisers.
extension ByteReader {
    mutating func trackChanges() -> [TrackChange] {
        (0..<count()).map { _ in trackChange() }
    }

    private mutating func trackChange() -> TrackChange {
        let kind = byte()
        let name = text()
        switch kind {
        case 0: return .remove(name)
        case 1:
            let curve = Track.Curve.ranges(compactNormal: valueRange(), normalExpanded: valueRange())
            return .set(try! Track(name: name, curve: curve))
        default:
            let points = (0..<count()).map { _ in try! Keyframe(progress: double(), value: double()) }
            return .set(try! Track(name: name, curve: .keyframes(try! Keyframes(points))))
        }
    }

    private mutating func valueRange() -> ValueRange {
        byte() == 0 ? .value(double()) : .range(double(), double())
    }
}

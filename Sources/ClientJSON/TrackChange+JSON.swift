package import BarLayout

extension TrackChange {
    package var name: String {
        switch self {
        case .set(let track): track.name
        case .remove(let name): name
        }
    }

    package init(_ member: JSONDocument.Member) throws {
        guard member.value != .null else {
            self = .remove(member.name)
            return
        }
        let curve: Track.Curve
        if let points = member.value["keyframes"]?.array {
            let keyframes = try points.map { point in
                try Keyframe(progress: required(point["progress"]?.double), value: required(point["value"]?.double))
            }
            curve = .keyframes(try Keyframes(keyframes))
        } else {
            curve = .ranges(
                compactNormal: try ValueRange(member.value["compactNormalRange"]),
                normalExpanded: try ValueRange(member.value["normalExpandedRange"])
            )
        }
        self = .set(try Track(name: member.name, curve: curve))
    }
}

extension [TrackChange] {
    package var json: JSONDocument {
        .object(
            map { change in
                switch change {
                case .remove(let name): JSONDocument.Member(name: name, value: .null)
                case .set(let track): JSONDocument.Member(name: track.name, value: track.curve.json)
                }
            }
        )
    }
}

extension Track.Curve {
    fileprivate var json: JSONDocument {
        switch self {
        case .ranges(let compactNormal, let normalExpanded):
            .object(["compactNormalRange": compactNormal.json, "normalExpandedRange": normalExpanded.json])
        case .keyframes(let keyframes):
            .object([
                "keyframes": keyframes.points.map { JSONDocument.object(["progress": $0.progress, "value": $0.value]) }
            ])
        }
    }
}

extension ValueRange {
    fileprivate init(_ json: JSONDocument?) throws {
        if let value = json?["value"]?.double {
            self = .value(value)
            return
        }
        let ends = json?["range"]?.array?.compactMap(\.double) ?? []
        guard ends.count == 2 else { throw UnknownForm() }
        self = .range(ends[0], ends[1])
    }

    fileprivate var json: JSONDocument {
        switch self {
        case .value(let value): .object(["value": value])
        case .range(let first, let second): .object(["range": [first, second]])
        }
    }
}

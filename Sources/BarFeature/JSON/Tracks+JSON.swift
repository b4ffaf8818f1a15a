import BarLayout
import JSON

extension JSONValue {
    func tracks() throws -> Tracks {
        let changes = try members(atMost: Tracks.limit).map { TrackChange.set(try $1.track($0)) }
        var tracks = Tracks()
        try locating(pointer, tracks.apply(changes))
        return tracks
    }

    /// Reads changes of tracks: `null` removes a track, and any other value sets it.
    func trackChanges() throws -> [TrackChange] {
        try members(atMost: TrackChange.limit).map { name, value in
            guard value.isNull else { return .set(try value.track(name)) }
            return .remove(try locating(value.pointer, Track.checkedName(name)))
        }
    }

    private func members(atMost limit: Int) throws -> JSONObject {
        let object = try object()
        guard object.count <= limit else {
            throw BarSessionError.invalid(pointer: pointer, .tooManyTracks(limit: limit))
        }
        return object
    }

    private func track(_ name: String) throws -> Track {
        let object = try object()
        let curve: Track.Curve
        if let list = object.optional("keyframes") {
            try object.only("keyframes")
            let points = try list.array().map { try $0.keyframe() }
            curve = .keyframes(try locating(pointer, Keyframes(points)))
        } else {
            try object.only("compactNormalRange", "normalExpandedRange")
            curve = .ranges(
                compactNormal: try object["compactNormalRange"].valueRange(),
                normalExpanded: try object["normalExpandedRange"].valueRange()
            )
        }
        return try locating(pointer, Track(name: name, curve: curve))
    }

    private func keyframe() throws -> Keyframe {
        let (progress, value) = try object().doubles("progress", "value")
        return try locating(pointer, Keyframe(progress: progress, value: value))
    }

    /// Reads `{"value":1}` or `{"range":[0,1]}`.
    private func valueRange() throws -> ValueRange {
        let object = try object()
        try object.only("value", "range")
        switch (object.optional("value"), object.optional("range")) {
        case (let value?, nil): return .value(try value.number(named: "value"))
        case (nil, let range?):
            let ends = try range.array()
            guard ends.count == 2 else { throw range.error("must have two numbers, had \(ends.count)") }
            return .range(try ends[0].number(named: "value"), try ends[1].number(named: "value"))
        default: throw object.error("must have either \"value\" or \"range\"")
        }
    }
}

extension JSONWriter {
    mutating func members(_ changes: [TrackChange], revision: Int) {
        member("type", "tracks")
        member("revision", revision)
        object("tracks") { json in
            for change in changes {
                switch change {
                case .remove(let name): json.member(name, nil as Double?)
                case .set(let track):
                    json.key(track.name)
                    json.object { $0.members(track.curve) }
                }
            }
        }
    }

    private mutating func members(_ curve: Track.Curve) {
        switch curve {
        case .ranges(let compactNormal, let normalExpanded):
            member("compactNormalRange", compactNormal)
            member("normalExpandedRange", normalExpanded)
        case .keyframes(let keyframes):
            objects("keyframes", keyframes.points) { json, point in
                json.member("progress", point.progress)
                json.member("value", point.value)
            }
        }
    }

    private mutating func member(_ name: StaticString, _ range: ValueRange) {
        object(name) { json in
            switch range {
            case .value(let value): json.member("value", value)
            case .range(let first, let second): json.member("range", [first, second])
            }
        }
    }
}

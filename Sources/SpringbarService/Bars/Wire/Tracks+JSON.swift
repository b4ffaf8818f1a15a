import BarLayout
import JSON

extension JSONValue {
    /// The tracks of a new bar.
    func tracks() throws -> Tracks {
        let changes = try members(atMost: Tracks.limit).map { TrackChange.set(try $1.track($0)) }
        var tracks = Tracks()
        try placing(self) { () throws(BarLayoutError) in try tracks.apply(changes) }
        return tracks
    }

    /// Changes of tracks: those named are set, `null` removes one.
    func trackChanges() throws -> [TrackChange] {
        try members(atMost: TrackChange.limit).map { name, value in
            guard value.isNull else { return .set(try value.track(name)) }
            return .remove(try placing(value) { () throws(BarLayoutError) in try Track.checkedName(name) })
        }
    }

    /// An object with so many members at the most: more are refused before they are read.
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
            curve = .keyframes(try placing(self) { () throws(BarLayoutError) in try Keyframes(points) })
        } else {
            try object.only("compactNormalRange", "normalExpandedRange")
            curve = .ranges(
                compactNormal: try object["compactNormalRange"].valueRange(),
                normalExpanded: try object["normalExpandedRange"].valueRange()
            )
        }
        return try placing(self) { () throws(BarLayoutError) in try Track(name: name, curve: curve) }
    }

    private func keyframe() throws -> Keyframe {
        let (progress, value) = try object().doubles("progress", "value")
        return try placing(self) { () throws(BarLayoutError) in try Keyframe(progress: progress, value: value) }
    }

    /// `{"value":1}` or `{"range":[0,1]}`.
    private func valueRange() throws -> ValueRange {
        let object = try object()
        try object.only("value", "range")
        switch (object.optional("value"), object.optional("range")) {
        case (let value?, nil): return .value(try value.limited())
        case (nil, let range?):
            let ends = try range.array()
            guard ends.count == 2 else { throw range.error("must have two numbers, had \(ends.count)") }
            return .range(try ends[0].limited(), try ends[1].limited())
        default: throw object.error("must have either \"value\" or \"range\"")
        }
    }

    private func limited() throws -> Double {
        let number = try double()
        guard abs(number) <= Coordinate.limit else {
            throw BarSessionError.invalid(pointer: pointer, .outOfRange("value"))
        }
        return number
    }
}

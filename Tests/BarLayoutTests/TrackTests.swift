import BarLayout
import TestSupport
import Testing

@Suite("Numbers that follow the bar")
struct TrackTests {
    @Test("tracks keep their order, and a bar has at most 128")
    func list() throws {
        var tracks = Tracks()
        for number in 0..<Tracks.limit {
            let curve = Track.Curve.ranges(compactNormal: .value(Double(number)), normalExpanded: .value(0))
            try tracks.set(Track(name: "t\(number)", curve: curve))
        }
        let flat = Track.Curve.ranges(compactNormal: .value(0), normalExpanded: .value(0))
        #expect(throws: BarLayoutError.tooManyTracks(limit: 128)) { try tracks.set(Track(name: "more", curve: flat)) }
        try tracks.set(Track(name: "t0", curve: flat))
        #expect(tracks.all.first?.name == "t0")
        #expect(tracks["t0"]?.curve == flat)
        // A full bar can replace a track in one request, in either order.
        try tracks.apply([.set(Track(name: "more", curve: flat)), .remove("t1")])
        #expect(tracks.all.count == 128)
        #expect(tracks["t1"] == nil)
        #expect(tracks.all.last?.name == "more")
    }

    @Test("changes that would exceed the limit have no effect")
    func atomic() throws {
        var tracks = Tracks()
        let flat = Track.Curve.ranges(compactNormal: .value(0), normalExpanded: .value(0))
        try tracks.set(Track(name: "kept", curve: flat))
        let changes = try [.remove("kept")] + (0...128).map { TrackChange.set(try Track(name: "n\($0)", curve: flat)) }
        #expect(throws: BarLayoutError.tooManyTracks(limit: 128)) { try tracks.apply(changes) }
        #expect(tracks.all.map(\.name) == ["kept"])
    }
}

/// The tracks of a bar, in the order in which they were added.
public struct Tracks: Sendable, Equatable {
    /// All tracks, in order.
    public private(set) var all: [Track] = []

    /// The most tracks of one bar.
    public static let limit = 128

    /// A bar's tracks before any are added.
    public init() {}

    /// The track of this name; nil if there is none.
    public subscript(name: String) -> Track? {
        let hash = Track.hash(of: name)
        return all.first { $0.hasName(name, hash: hash) }
    }

    /// Adds a track at the end, or replaces the one of the same name; throws `tooManyTracks`.
    public mutating func set(_ track: Track) throws(BarLayoutError) {
        try apply([.set(track)])
    }

    /// Applies all changes, the removals first; throws `tooManyTracks`, and changes nothing then.
    public mutating func apply(_ changes: [TrackChange]) throws(BarLayoutError) {
        var removed: [Int: [String]] = [:]
        for case .remove(let name) in changes { removed[Track.hash(of: name), default: []].append(name) }
        func isKept(_ track: Track) -> Bool {
            removed[track.nameHash]?.contains { track.hasName($0, hash: track.nameHash) } != true
        }
        var tracks = removed.isEmpty ? all : all.filter(isKept)
        for case .set(let track) in changes {
            if let index = tracks.firstIndex(where: { $0.hasName(track.name, hash: track.nameHash) }) {
                tracks[index] = track
            } else {
                guard tracks.count < Tracks.limit else { throw .tooManyTracks(limit: Tracks.limit) }
                tracks.append(track)
            }
        }
        all = tracks
    }
}

/// One change of a bar's tracks.
public enum TrackChange: Sendable, Equatable {
    /// Adds or replaces a track.
    case set(Track)
    /// Removes the track of this name, if there is one.
    case remove(String)

    /// The most changes of one request: enough to replace every track of a full bar by another.
    public static let limit = 2 * Tracks.limit
}

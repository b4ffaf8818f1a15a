/// The tracks of a bar, in the order in which they were first named.
package struct Tracks: Sendable, Equatable {
    package private(set) var all: [Track] = []

    /// The most tracks of one bar.
    package static let limit = 128

    package init() {}

    /// The track of that name, if there is one.
    package subscript(name: String) -> Track? {
        all.first { $0.name == name }
    }

    /// Adds a track, or replaces the one of the same name where it stands.
    package mutating func set(_ track: Track) throws(BarLayoutError) {
        if let place = all.firstIndex(where: { $0.name == track.name }) {
            all[place] = track
        } else {
            guard all.count < Tracks.limit else { throw .tooManyTracks(limit: Tracks.limit) }
            all.append(track)
        }
    }

    /// Removes the track of that name; nothing when there is none.
    package mutating func remove(_ name: String) {
        all.removeAll { $0.name == name }
    }
}

/// What one request changes about the tracks, in its order.
package enum TrackChange: Sendable, Equatable {
    case set(Track)
    case remove(String)
}

extension Tracks {
    /// Carries out all the changes or none of them.
    ///
    /// Removals come first, so that a full bar can exchange tracks.
    package mutating func apply(_ changes: [TrackChange]) throws(BarLayoutError) {
        var changed = self
        for case .remove(let name) in changes { changed.remove(name) }
        for case .set(let track) in changes { try changed.set(track) }
        self = changed
    }
}

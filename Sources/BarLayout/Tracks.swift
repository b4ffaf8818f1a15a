import Primitives

/// The tracks of a bar, in the order in which they were first named.
///
/// A reference to an immutable list, which a bar, its checkpoints and its forks share for as long as none of them
/// changes it.
package struct Tracks: Sendable {
    /// nil if there are none.
    private var list: List?

    /// The most tracks of one bar.
    package static let limit = 128

    package init() {}

    /// All tracks in their order.
    package var all: [Track] { list?.tracks ?? [] }

    /// The track of that name, if there is one.
    package subscript(name: String) -> Track? {
        guard let list else { return nil }
        let hash = Track.hash(of: name)
        return list.tracks.first { $0.hasName(name, hash: hash) }
    }

    /// Adds a track, or replaces the one of the same name where it stands.
    package mutating func set(_ track: Track) throws(BarLayoutError) {
        try apply([.set(track)])
    }

    private final class List: Sendable {
        let tracks: [Track]
        let holders = HolderCount()

        init(_ tracks: [Track]) {
            self.tracks = tracks
        }

        /// Its bytes without those of the tracks.
        var byteCount: Int {
            HeapBlock.object(2 * MemoryLayout<Int>.stride) + HeapBlock.array(of: Track.self, capacity: tracks.capacity)
        }
    }
}

extension Tracks: Equatable {
    package static func == (left: Tracks, right: Tracks) -> Bool {
        left.isSame(as: right) || left.all == right.all
    }
}

/// What one request changes about the tracks, in its order.
package enum TrackChange: Sendable, Equatable {
    case set(Track)
    /// Removes the track of that name; nothing if there is none.
    case remove(String)

    /// The most changes of one request: enough to exchange all tracks of a full bar.
    package static let limit = 2 * Tracks.limit
}

extension Tracks {
    /// Carries out all the changes or none of them.
    ///
    /// Removals come first, so that a full bar can exchange tracks.
    package mutating func apply(_ changes: [TrackChange]) throws(BarLayoutError) {
        var tracks = all
        for case .remove(let name) in changes {
            let hash = Track.hash(of: name)
            tracks.removeAll { $0.hasName(name, hash: hash) }
        }
        for case .set(let track) in changes {
            if let place = tracks.firstIndex(where: { $0.hasName(track.name, hash: track.nameHash) }) {
                tracks[place] = track
            } else {
                guard tracks.count < Tracks.limit else { throw .tooManyTracks(limit: Tracks.limit) }
                tracks.append(track)
            }
        }
        list = tracks.isEmpty ? nil : List(tracks)
    }
}

// See `BarSession+Memory.swift`. The tracks of a list are held once for the list, however many states hold the list.
extension Tracks {
    var heapBytes: Int {
        guard let list else { return 0 }
        return list.tracks.reduce(list.byteCount) { $0 + $1.heapBytes }
    }

    var unheldBytes: Int {
        guard let list, list.holders.isZero else { return 0 }
        return list.tracks.reduce(list.byteCount) { $0 + $1.unheldBytes }
    }

    func hold() -> Int {
        guard let list, list.holders.add() else { return 0 }
        return list.tracks.reduce(list.byteCount) { $0 + $1.hold() }
    }

    func letGo() -> Int {
        guard let list, list.holders.remove() else { return 0 }
        return list.tracks.reduce(list.byteCount) { $0 + $1.letGo() }
    }

    func isSame(as other: Tracks) -> Bool { list === other.list }
}

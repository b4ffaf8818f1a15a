import Primitives

/// The tracks of a bar, in the order in which they were added.
///
/// It refers to an immutable list, which a bar, its checkpoints and its forks share until one of them changes its tracks.
public struct Tracks: Sendable {
    /// The list; nil if it is empty.
    private var list: List?

    /// The most tracks of one bar.
    public static let limit = 128

    /// A bar's tracks before any are added.
    public init() {}

    /// All tracks, in order.
    public var all: [Track] { list?.tracks ?? [] }

    /// The track of this name; nil if there is none.
    public subscript(name: String) -> Track? {
        guard let list else { return nil }
        let hash = Track.hash(of: name)
        return list.tracks.first { $0.hasName(name, hash: hash) }
    }

    /// Adds a track at the end, or replaces the one of the same name.
    ///
    /// - Throws: `tooManyTracks`.
    public mutating func set(_ track: Track) throws(BarLayoutError) {
        try apply([.set(track)])
    }

    private final class List: Sendable {
        let tracks: [Track]
        let holders = HolderCount()

        init(_ tracks: [Track]) {
            self.tracks = tracks
        }

        /// The bytes of the list without those of the tracks.
        var byteCount: Int {
            HeapBlock.object(2 * MemoryLayout<Int>.stride) + HeapBlock.array(of: Track.self, capacity: tracks.capacity)
        }
    }
}

extension Tracks: Equatable {
    /// Whether both have equal tracks in the same order.
    public static func == (left: Tracks, right: Tracks) -> Bool {
        left.isSame(as: right) || left.all == right.all
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

extension Tracks {
    /// Applies all changes, or none if it throws.
    ///
    /// Removals are applied first, so a full bar can replace tracks.
    ///
    /// - Throws: `tooManyTracks`.
    public mutating func apply(_ changes: [TrackChange]) throws(BarLayoutError) {
        var tracks = all
        for case .remove(let name) in changes {
            let hash = Track.hash(of: name)
            tracks.removeAll { $0.hasName(name, hash: hash) }
        }
        for case .set(let track) in changes {
            if let index = tracks.firstIndex(where: { $0.hasName(track.name, hash: track.nameHash) }) {
                tracks[index] = track
            } else {
                guard tracks.count < Tracks.limit else { throw .tooManyTracks(limit: Tracks.limit) }
                tracks.append(track)
            }
        }
        list = tracks.isEmpty ? nil : List(tracks)
    }
}

// See `HeldMemory.swift`. A list holds its tracks once, however many sessions hold the list.
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

    func release() -> Int {
        guard let list, list.holders.remove() else { return 0 }
        return list.tracks.reduce(list.byteCount) { $0 + $1.release() }
    }

    func isSame(as other: Tracks) -> Bool { list === other.list }
}

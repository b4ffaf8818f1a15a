/// A number of the client that follows the bar, such as an alpha; lists of tracks share these objects.
public final class Track: Sendable {
    /// The name that the client gave the track; 1 to 128 characters, none of them a control character.
    public let name: String
    /// How the number depends on the bar.
    public let curve: Curve
    /// The hash of the name; see ``hash(of:)``.
    let nameHash: Int

    /// The longest name, in Unicode scalar values, as `maxLength` in JSON Schema counts.
    public static let nameLimit = 128

    /// A track with a valid name, and values within ±`Coordinate.limit`.
    ///
    /// - Throws: `trackName` or `outOfRange`.
    public init(name: String, curve: Curve) throws(BarLayoutError) {
        self.name = try Track.checkedName(name)
        if case .ranges(let compactNormal, let normalExpanded) = curve {
            for bounds in [compactNormal.bounds, normalExpanded.bounds] {
                _ = try Coordinate.checked(bounds.first, "value")
                _ = try Coordinate.checked(bounds.second, "value")
            }
        }
        self.curve = curve
        nameHash = Track.hash(of: name)
    }

    /// Returns the number for a state of the bar.
    public func value(at state: BarState) -> Double {
        switch curve {
        case .ranges(let compactNormal, let normalExpanded):
            state.value(compactNormalRange: compactNormal, normalExpandedRange: normalExpanded)
        case .keyframes(let keyframes):
            keyframes.value(at: state.transitionProgress)
        }
    }

    /// How the number depends on the bar.
    public enum Curve: Sendable, Equatable {
        /// AirBar's `value(compactNormalRange:normalExpandedRange:)`.
        case ranges(compactNormal: ValueRange, normalExpanded: ValueRange)
        /// Straight lines between points of the transition progress.
        case keyframes(Keyframes)
    }
}

extension Track: Equatable {
    /// Whether both have the same name and the same curve.
    public static func == (left: Track, right: Track) -> Bool {
        left === right || left.hasName(right.name, hash: right.nameHash) && left.curve == right.curve
    }
}

// Names are compared byte by byte: names that JSON distinguishes are two tracks, and no Unicode normalisation is needed.
extension Track {
    /// Returns the name if it has 1 to 128 characters, none of them a control character; throws `trackName` otherwise.
    ///
    /// Control characters are those of the general category `Cc`, a set that never changes (Unicode Character Encoding
    /// Stability Policies, "Property Value Stability").
    public static func checkedName(_ name: String) throws(BarLayoutError) -> String {
        let hasControl = name.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
        guard name.hasLength(upTo: nameLimit), !hasControl else { throw .trackName(limit: nameLimit) }
        return name
    }

    /// Returns a hash of the bytes of a name, with the random seed of the process, so clients cannot construct collisions.
    static func hash(of name: String) -> Int {
        var hasher = Hasher()
        var name = name
        name.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return hasher.finalize()
    }

    /// Whether the track has this name, of which `hash` is the hash.
    func hasName(_ name: String, hash: Int) -> Bool {
        nameHash == hash && self.name.hasBytes(of: name)
    }
}

/// A point of a curve: the value at a transition progress from 0 to 2.
public struct Keyframe: Sendable, Equatable {
    /// The transition progress, from 0 to 2.
    public let progress: Double
    /// The value at this progress.
    public let value: Double

    /// A point with a progress from 0 to 2 and a value within ±`Coordinate.limit`; throws `outOfRange` for any other.
    public init(progress: Double, value: Double) throws(BarLayoutError) {
        guard 0...2 ~= progress else { throw .outOfRange("progress") }
        self.progress = progress
        self.value = try Coordinate.checked(value, "value")
    }
}

/// A curve of straight lines between points; before the first one and after the last one the value is constant.
public struct Keyframes: Sendable, Equatable {
    /// The points, in ascending order of progress.
    public let points: [Keyframe]

    /// The most points of one track.
    public static let limit = 64

    /// A curve through 1 to ``limit`` points.
    ///
    /// - Throws: `keyframes` if there are none or too many, or if they do not ascend.
    public init(_ points: [Keyframe]) throws(BarLayoutError) {
        guard 1...Keyframes.limit ~= points.count else {
            throw .keyframes("a track has 1 to \(Keyframes.limit) keyframes")
        }
        guard zip(points, points.dropFirst()).allSatisfy({ $0.progress < $1.progress }) else {
            throw .keyframes("progress must ascend from keyframe to keyframe")
        }
        self.points = points
    }

    /// Returns the value at a transition progress.
    func value(at progress: Double) -> Double {
        var before = points[0]
        for after in points {
            if progress <= after.progress {
                return progress.mapped(from: (before.progress, after.progress), to: (before.value, after.value))
            }
            before = after
        }
        return before.value
    }
}

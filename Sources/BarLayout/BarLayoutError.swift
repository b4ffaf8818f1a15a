/// The reason why a value cannot be made or an event cannot be applied.
public enum BarLayoutError: Error, Sendable, Equatable {
    /// A number is not finite or beyond ±`Coordinate.limit`; with the name of the member, such as `y` or `left`.
    case outOfRange(String)
    /// A number is below 0; with the name of the member.
    case negative(String)
    /// A height is below 0, and so not in ascending order; with the name of the member.
    case negativeHeight(String)
    /// The heights are not 0 ≤ compact ≤ normal ≤ expanded.
    case heightsNotAscending
    /// A text is empty or too long; with the name of the member and the greatest length.
    case length(String, limit: Int)
    /// The name of a track is empty, too long or has a control character.
    case trackName(limit: Int)
    /// The event is about another view than the attached one.
    case scrollableMismatch(attached: String, given: String)
    /// A track has no keyframes, too many, or some out of order; with the rule that is broken.
    case keyframes(String)
    /// A bar would have too many tracks.
    case tooManyTracks(limit: Int)
}

/// The range of numbers in geometry, in points.
public enum Coordinate {
    /// The greatest magnitude that is accepted; a long list has about 1e6 points, and above 2^53 half points are lost.
    public static let limit = 1e9

    /// Returns `value` if it is finite and within the limit; throws otherwise.
    static func checked(
        _ value: Double,
        _ member: String,
        limit: Double = limit
    ) throws(BarLayoutError) -> Double {
        // A comparison with NaN is false, so NaN is refused, too.
        guard abs(value) <= limit else { throw .outOfRange(member) }
        return value
    }

    /// The greatest magnitude of a number that a bar computed, which is a sum of some coordinates.
    package static let computedLimit = 1e12

    /// Returns the nearest value within the limit; 0 for NaN.
    static func nearest(_ value: Double, limit: Double = limit) -> Double {
        value.isNaN ? 0 : max(-limit, min(limit, value))
    }

    /// Returns `value` if it is also not negative; throws otherwise.
    static func checkedLength(_ value: Double, _ member: String) throws(BarLayoutError) -> Double {
        guard try checked(value, member) >= 0 else { throw .negative(member) }
        return value
    }
}

extension String {
    /// Whether the text has 1 to `limit` Unicode scalar values.
    func hasLength(upTo limit: Int) -> Bool {
        // A text has no more scalars than bytes, so few texts need counting.
        !isEmpty && (utf8.count <= limit || unicodeScalars.count <= limit)
    }

    /// Whether both texts have the same bytes; equal texts of Swift may differ in their normalisation.
    package func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

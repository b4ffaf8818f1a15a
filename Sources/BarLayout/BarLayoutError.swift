/// Why a value of this module cannot be built, or an event cannot be applied.
package enum BarLayoutError: Error, Sendable, Equatable {
    /// A number that is not finite or beyond ±`Coordinate.limit`; carries the member, such as `y` or `left`.
    case outOfRange(String)
    /// A number that must not be below zero; carries the member.
    case negative(String)
    /// A height below zero; carries the member. It also breaks the order of the heights, of which the first is 0.
    case negativeHeight(String)
    /// The heights break 0 ≤ compact ≤ normal ≤ expanded.
    case heightsNotAscending
    /// An identifier or a name that is empty or longer than allowed; carries the member and the greatest length.
    case length(String, limit: Int)
    /// The name of a track that is empty, longer than allowed or has a control character.
    case trackName(limit: Int)
    /// The event is about another view than the one that is attached.
    case scrollableMismatch(attached: String, given: String)
    /// The keyframes of a track are none, too many, or not in strictly ascending order of progress.
    case keyframes(String)
    /// More tracks than a bar may have.
    case tooManyTracks(limit: Int)
}

/// The numbers that geometry is made of: points on a screen.
package enum Coordinate {
    /// The greatest magnitude taken in.
    ///
    /// A long list is some 1e6 points; above 2^53 half points would vanish, and an infinity once taken in never leaves.
    package static let limit = 1e9

    /// Passes `value` on when it is finite and within the limit.
    static func checked(_ value: Double, _ member: String) throws(BarLayoutError) -> Double {
        // A comparison with NaN is false, so this also refuses it.
        guard abs(value) <= limit else { throw .outOfRange(member) }
        return value
    }

    /// Passes `value` on when it is also not negative.
    static func checkedLength(_ value: Double, _ member: String) throws(BarLayoutError) -> Double {
        guard try checked(value, member) >= 0 else { throw .negative(member) }
        return value
    }
}

extension String {
    /// Whether it has at least one and at most `limit` Unicode scalar values.
    func hasLength(upTo limit: Int) -> Bool {
        // No string has more scalars than bytes, so most are not counted.
        !isEmpty && (utf8.count <= limit || unicodeScalars.count <= limit)
    }
}

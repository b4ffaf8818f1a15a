import SharedState

/// The right to fetch the record of a key: a value that the record replaces.
///
/// It ends after some seconds unless the replica extends it: a replica that ends during a fetch delays others by that time.
struct FetchClaim: Sendable {
    /// The value: a mark, with which no record begins, and random bytes.
    let bytes: [UInt8]

    private static let mark: UInt8 = 0

    /// The time to live of a claim.
    static let timeToLive = Duration.seconds(3)
    /// The time between two extensions.
    static let renewal = Duration.seconds(1)
    /// The first wait for the claim of another replica, and the longest one; each is twice the one before.
    static let waits = (first: Duration.milliseconds(25), longest: Duration.milliseconds(250))
    /// The longest wait for a record, which ends before unless the store keeps a claim without an end.
    static let longestWait = Duration.seconds(60)

    init(high: UInt64, low: UInt64) {
        bytes = [FetchClaim.mark] + RecordVersion(high: high, low: low).bytes
    }

    static func isClaim(_ value: [UInt8]) -> Bool { value.first == mark }
}

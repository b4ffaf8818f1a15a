import SharedState

/// Versions of a value that many replicas write: the number of a history, the number of the write in it, and random bits.
///
/// A history begins with the creation of the value and has a random number. After the store was emptied, or has lost the
/// value, the next creation begins another history. So a replica can tell a later write from one that does not know the
/// writes before.
extension SharedVersion {
    /// The first version of a new history.
    static func first(nonce: UInt64) -> SharedVersion {
        SharedVersion(high: (nonce >> writeBits) << writeBits, low: nonce)
    }

    /// The version of the next write.
    func next(nonce: UInt64) -> SharedVersion {
        SharedVersion(high: high &+ 1, low: nonce)
    }

    /// Whether this is a later write of the same history.
    func follows(_ earlier: SharedVersion) -> Bool {
        isOfHistory(of: earlier) && high > earlier.high
    }

    func isOfHistory(of other: SharedVersion) -> Bool {
        high >> SharedVersion.writeBits == other.high >> SharedVersion.writeBits
    }

    /// The bits of the number of the write.
    private static var writeBits: UInt64 { 32 }
}

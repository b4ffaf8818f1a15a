import Primitives
import Synchronization

/// Makes the random numbers of writes: hashes of a counter under a random key.
///
/// A number from the system's generator is a system call, which every POST would need. These numbers are as unlikely to
/// be equal, also to those of other replicas. They are not secrets.
package final class WriteNonces: Sendable {
    private let key: (low: UInt64, high: UInt64)
    private let last = Atomic<UInt64>(0)

    init() {
        key = (.random(in: .min ... .max), .random(in: .min ... .max))
    }

    func next() -> UInt64 {
        var hash = SipHash(key: key.low, key.high)
        withUnsafeBytes(of: last.add(1, ordering: .relaxed).newValue) { hash.combine($0) }
        return hash.finalized()
    }

    /// Returns a function that makes numbers.
    package static func maker() -> @Sendable () -> UInt64 {
        let nonces = WriteNonces()
        return { nonces.next() }
    }
}

import Synchronization

/// A limit for the bytes of all work in flight: content being received, answers waiting to be sent, pictures held by
/// slow readers, and queued work.
///
/// One process has one budget (`SPRINGBAR_MEMORY_BYTES`). A part of the service reserves bytes before it allocates them
/// and releases them afterwards. A reservation that does not fit is refused, and the request is answered with 503
/// `overloaded`. Bars and cached pictures have their own limits and are not counted.
package final class MemoryBudget: Sendable {
    /// The size up to which content or an answer is not counted, in bytes.
    ///
    /// A connection has at most one request and one answer in memory, so the number of connections bounds the uncounted
    /// bytes. A request of one event and its answer, the common case, do not touch the counter that all workers share.
    package static let uncountedBytes = 4096

    /// The most bytes that may be reserved at once.
    package let limit: Int
    private let reserved = Atomic(0)
    private let refused = Atomic(0)

    /// A budget of `limit` bytes, at least 0.
    package init(limit: Int) {
        precondition(limit >= 0)
        self.limit = limit
    }

    /// A budget that refuses nothing, for tests and for parts that are used alone.
    package static var unlimited: MemoryBudget { MemoryBudget(limit: .max) }

    /// Bytes reserved now.
    package var bytes: Int { reserved.load(ordering: .relaxed) }

    /// Reservations refused since the start.
    package var refusals: Int { refused.load(ordering: .relaxed) }

    /// Whether more bytes are charged than the limit; reservations alone never exceed it.
    package var isOverdrawn: Bool { bytes > limit }

    /// Whether bytes fit now.
    ///
    /// Nothing is reserved; a size that does not fit counts as a refusal.
    ///
    /// - Parameter count: at least 0.
    /// - Returns: false if a reservation would be refused now.
    package func fits(_ count: Int) -> Bool {
        precondition(count >= 0)
        if bytes <= limit - count { return true }
        refused.add(1, ordering: .relaxed)
        return false
    }

    /// Reserves bytes if they fit.
    ///
    /// - Parameter count: at least 0.
    /// - Returns: false if they do not fit; nothing is reserved then.
    package func reserve(_ count: Int) -> Bool {
        precondition(count >= 0)
        let (before, after) = reserved.add(count, ordering: .relaxed)
        guard before <= limit - count, after >= before else {
            reserved.subtract(count, ordering: .relaxed)
            refused.add(1, ordering: .relaxed)
            return false
        }
        return true
    }

    /// Counts bytes that are already allocated and cannot be refused.
    ///
    /// - Parameter count: at least 0.
    package func charge(_ count: Int) {
        precondition(count >= 0)
        reserved.add(count, ordering: .relaxed)
    }

    /// Counts a refusal by a rule beside the budget, such as the share of a client.
    package func countRefusal() {
        refused.add(1, ordering: .relaxed)
    }

    /// Releases bytes that were reserved or charged.
    package func release(_ count: Int) {
        let after = reserved.subtract(count, ordering: .relaxed).newValue
        assert(after >= 0, "more bytes were released than taken")
    }
}

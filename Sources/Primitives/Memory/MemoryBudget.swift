import Synchronization

/// The bytes that everything in flight may take together: content being received, answers waiting to be sent, pictures
/// held by slow readers, and work that waits.
///
/// One process has one budget (`SPRINGBAR_MEMORY_BYTES`). A part of the service reserves bytes before it takes them and
/// gives them back when it lets go of them; a reservation that does not fit is refused, and the request is answered
/// with 503 `overloaded`. What is kept on purpose (bars, cached pictures) has limits of its own and is not in here.
package final class MemoryBudget: Sendable {
    /// What content or an answer may have without being counted, in bytes.
    ///
    /// A connection has at most one request and one answer in memory, so what is not counted is bounded by the number of
    /// connections; and a request of one event with its answer, the common case, does not touch the counter that all
    /// workers share.
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

    /// Whether more is charged than the budget has; reservations alone never come to that.
    package var isOverdrawn: Bool { bytes > limit }

    /// Whether bytes fit now.
    ///
    /// Nothing is reserved; what does not fit counts as refused.
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

    /// Counts bytes that are taken already and cannot be refused.
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

    /// Gives back bytes that were reserved or charged.
    package func release(_ count: Int) {
        let after = reserved.subtract(count, ordering: .relaxed).newValue
        assert(after >= 0, "more bytes given back than were taken")
    }
}

import Synchronization

/// A limit for the bytes of all work in flight: content being received, answers waiting to be sent, transfers that
/// arrive or are being read, events that wait in streams, and queued work.
///
/// One process has one budget. Bytes are reserved before they are allocated and released afterwards. A reservation that
/// does not fit is refused, and the request is answered with 503 `overloaded`. Nothing is counted without a reservation,
/// so the limit holds. Stores and caches have their own limits and are not counted.
///
/// Two parts of the budget are kept: one client has at most half of it, and the last sixteenth is for operations, so that
/// monitoring can see a service that is overloaded.
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
    private let lacking = Lock(Lacking())
    private let shares: ClientShares

    /// A budget of `limit` bytes, at least 0.
    package init(limit: Int) {
        precondition(limit >= 0)
        self.limit = limit
        shares = ClientShares(limit: max(1, limit / 2))
    }

    /// A budget that refuses nothing, for tests and for parts that are used alone.
    package static var unlimited: MemoryBudget { MemoryBudget(limit: .max) }

    /// Bytes reserved now.
    package var bytes: Int { reserved.load(ordering: .relaxed) }

    /// Reservations refused since the start.
    package var refusals: Int { refused.load(ordering: .relaxed) }

    /// Those that lack memory: clients that have used up their share, or all of them.
    package struct Lacking: Sendable, Equatable {
        package var isEveryone = false
        package var clients: Set<ClientKey> = []
    }

    /// Returns those that were refused since the last call; at most a thousand clients.
    package func takeLacking() -> Lacking {
        lacking.withLock { lacking in
            defer { lacking = Lacking() }
            return lacking
        }
    }

    /// Returns whether bytes that a client pays would fit now, without reserving them; nil is the service itself.
    ///
    /// False counts as a refusal.
    package func fits(_ count: Int, for client: ClientKey? = nil) -> Bool {
        precondition(count >= 0)
        guard shares.fits(client, count) else { return refuse(client) }
        return bytes <= limit - limit / 16 - count || refuse(nil)
    }

    /// Notes the refusal of a client that has used up its share, or of anyone; returns false.
    private func refuse(_ client: ClientKey?) -> Bool {
        refused.add(1, ordering: .relaxed)
        lacking.withLock { lacking in
            if let client {
                if lacking.clients.count < 1000 { lacking.clients.insert(client) }
            } else {
                lacking.isEveryone = true
            }
        }
        return false
    }

    /// Reserves bytes that a client pays, or the service itself; false, and nothing is reserved, if they do not fit.
    ///
    /// A client has at most half of the budget. The answer of an operation may use a sixteenth more.
    package func reserve(_ count: Int, for client: ClientKey? = nil, isOperation: Bool = false) -> Bool {
        precondition(count >= 0)
        let kept = limit / 16
        guard shares.reserve(client, count, beyond: isOperation ? kept : 0) else { return refuse(client) }
        let available = isOperation ? limit : limit - kept
        let (before, after) = reserved.add(count, ordering: .relaxed)
        guard before <= available - count, after >= before else {
            reserved.subtract(count, ordering: .relaxed)
            shares.release(client, count)
            return refuse(nil)
        }
        return true
    }

    /// Has another client pay for bytes that are reserved; never refused, because the bytes exist.
    func move(_ count: Int, from client: ClientKey?, to other: ClientKey?) {
        shares.move(count, from: client, to: other)
    }

    /// Releases bytes that `client` has paid.
    package func release(_ count: Int, of client: ClientKey? = nil) {
        shares.release(client, count)
        let after = reserved.subtract(count, ordering: .relaxed).newValue
        assert(after >= 0, "more bytes were released than reserved")
    }
}

/// The payer of a reservation: a client, or the service itself, and the budget of the process.
package struct MemoryAccount: Sendable {
    package let budget: MemoryBudget
    /// The client that pays; nil for work of the service itself, such as a refresh in the background.
    package let client: ClientKey?

    package init(_ budget: MemoryBudget, client: ClientKey? = nil) {
        self.budget = budget
        self.client = client
    }

    /// Reserves bytes if they fit; false, and nothing changes, if they do not.
    package func reserve(_ count: Int, isOperation: Bool = false) -> Bool {
        budget.reserve(count, for: client, isOperation: isOperation)
    }

    /// Releases bytes that were reserved.
    package func release(_ count: Int) {
        budget.release(count, of: client)
    }
}

import Synchronization

/// Bytes that several readers hold at once: reserved once, and paid by one of them.
///
/// The first reader reserves the bytes and pays. When it leaves, another one pays; when the last one leaves, the bytes
/// are released: then they belong to a cache, which has a limit of its own, or are released themselves.
package final class JointReservation: Sendable {
    private struct State {
        var bytes: Int
        var payer: MemoryAccount?
        /// The number of leases of each client; nil is the service itself.
        var leases: [ClientKey?: Int] = [:]
    }

    private let state: Lock<State>

    /// Describes `bytes` bytes without a reader; nothing is reserved yet.
    package init(bytes: Int) {
        state = Lock(State(bytes: bytes))
    }

    /// Adds a reader; the first one reserves the bytes, and nil means that they do not fit.
    package func lease(for account: MemoryAccount, isOperation: Bool = false) -> MemoryLease? {
        let isAdded = state.withLock { state in
            if state.payer == nil {
                guard account.reserve(state.bytes, isOperation: isOperation) else { return false }
                state.payer = account
            }
            state.leases[account.client, default: 0] += 1
            return true
        }
        return isAdded ? MemoryLease(of: self, by: account.client) : nil
    }

    /// Changes the number of bytes; returns false, and changes nothing, if the missing ones do not fit.
    package func resize(to count: Int) -> Bool {
        state.withLock { state in
            if let payer = state.payer {
                if count > state.bytes, !payer.reserve(count - state.bytes) { return false }
                if count < state.bytes { payer.release(state.bytes - count) }
            }
            state.bytes = count
            return true
        }
    }

    fileprivate func leave(_ client: ClientKey?) {
        state.withLock { state in
            guard let count = state.leases[client], let payer = state.payer else { return }
            state.leases[client] = count == 1 ? nil : count - 1
            guard count == 1, payer.client == client else { return }
            if let (next, _) = state.leases.first {
                payer.budget.move(state.bytes, from: client, to: next)
                state.payer = MemoryAccount(payer.budget, client: next)
            } else {
                payer.release(state.bytes)
                state.payer = nil
            }
        }
    }
}

/// The lease of bytes by one reader; it ends when the object is released.
package final class MemoryLease: Sendable {
    private let reservation: JointReservation
    private let client: ClientKey?

    fileprivate init(of reservation: JointReservation, by client: ClientKey?) {
        self.reservation = reservation
        self.client = client
    }

    deinit {
        reservation.leave(client)
    }
}

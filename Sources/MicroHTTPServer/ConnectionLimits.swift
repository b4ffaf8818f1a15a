import HTTPExchange
import Synchronization

/// Decides which connections are taken: at most so many in all, so many of one client, and a few more in a reserve.
///
/// A connection that does not fit goes to the reserve, which is kept for operations such as health checks: a service
/// whose connections are all taken must not look dead to what watches it. On a connection of the reserve one request is
/// answered, in short time, so that what holds one gives it back. The reserve has shares too: one client has a quarter
/// of it, or the client that takes all connections would take the reserve as well.
///
/// Connections are admitted by one thread, and leave on any.
final class ConnectionLimits: Sendable {
    /// What becomes of a new connection.
    enum Admission: Equatable {
        case ordinary
        case reserve
        case rejected(Rejection)
    }

    /// Why a connection is closed at once.
    enum Rejection: Equatable {
        /// All connections are taken, and the reserve is.
        case limit
        /// The client has its share.
        case share
    }

    private let limit: Int
    private let reserveLimit: Int
    private let shares: ClientShares
    private let reserveShares: ClientShares
    private let ordinary = Atomic(0)
    private let inReserve = Atomic(0)

    init(_ configuration: Server.Configuration) {
        limit = configuration.maxConnections
        reserveLimit = configuration.reservedConnections
        shares = ClientShares(limit: configuration.maxConnectionsPerClient)
        reserveShares = ClientShares(limit: reserveLimit > 0 ? max(1, reserveLimit / 4) : 0)
    }

    /// Connections that were admitted and have not left.
    var open: Int { ordinary.load(ordering: .relaxed) + reserved }

    /// Those of them in the reserve.
    var reserved: Int { inReserve.load(ordering: .relaxed) }

    /// Counts a new connection, unless it is rejected.
    ///
    /// - Parameter client: nil for one that has no share, such as a trusted proxy.
    /// - Returns: where it was counted, or why it is rejected.
    func admit(_ client: ClientKey?) -> Admission {
        guard ordinary.add(1, ordering: .relaxed).newValue <= limit else {
            ordinary.subtract(1, ordering: .relaxed)
            return admitToReserve(client, insteadOf: .limit)
        }
        guard shares.take(client) else {
            ordinary.subtract(1, ordering: .relaxed)
            return admitToReserve(client, insteadOf: .share)
        }
        return .ordinary
    }

    private func admitToReserve(_ client: ClientKey?, insteadOf rejection: Rejection) -> Admission {
        guard inReserve.add(1, ordering: .relaxed).newValue <= reserveLimit else {
            inReserve.subtract(1, ordering: .relaxed)
            return .rejected(rejection)
        }
        guard reserveShares.take(client) else {
            inReserve.subtract(1, ordering: .relaxed)
            return .rejected(rejection)
        }
        return .reserve
    }

    /// Takes back the count of a connection that was admitted, once.
    func leave(_ client: ClientKey?, isReserve: Bool) {
        if isReserve {
            reserveShares.giveBack(client)
            inReserve.subtract(1, ordering: .relaxed)
        } else {
            shares.giveBack(client)
            ordinary.subtract(1, ordering: .relaxed)
        }
    }

    /// Forgets all connections: the server has ended.
    func reset() {
        ordinary.store(0, ordering: .relaxed)
        inReserve.store(0, ordering: .relaxed)
    }
}

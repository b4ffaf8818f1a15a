import HTTPExchange
import Primitives
import Synchronization

/// Limits the connections in total and of each client, and keeps a reserve for operations such as health checks.
///
/// A connection above a limit is admitted to the reserve, so that a service whose connections are all in use does not look
/// dead to monitoring. A connection of the reserve serves one request within a short time. One client may have a quarter
/// of the reserve, so that a client that uses all connections cannot use the whole reserve too.
///
/// One thread admits connections; they leave on any thread.
final class ConnectionLimits: Sendable {
    /// The decision about a new connection.
    enum Admission: Equatable {
        case ordinary
        case reserve
        case rejected(Rejection)
    }

    /// Why a connection is closed at once.
    enum Rejection: Equatable {
        /// All connections and the reserve are in use.
        case limit
        /// The client has as many connections as one client may have.
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

    /// The number of admitted connections that have not left.
    var open: Int { ordinary.load(ordering: .relaxed) + reserved }

    /// The number of those in the reserve.
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
        guard shares.reserve(client) else {
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
        guard reserveShares.reserve(client) else {
            inReserve.subtract(1, ordering: .relaxed)
            return .rejected(rejection)
        }
        return .reserve
    }

    /// Takes back the count of a connection that was admitted, once.
    func leave(_ client: ClientKey?, isReserve: Bool) {
        if isReserve {
            reserveShares.release(client)
            inReserve.subtract(1, ordering: .relaxed)
        } else {
            shares.release(client)
            ordinary.subtract(1, ordering: .relaxed)
        }
    }

    /// Forgets all connections: the server has ended.
    func reset() {
        ordinary.store(0, ordering: .relaxed)
        inReserve.store(0, ordering: .relaxed)
    }
}

/// The descriptors of connections that were admitted to the reserve and have not started on a worker.
///
/// From `MHD_add_connection` to the start notification, the library passes on only the descriptor, which no other
/// connection has meanwhile. The set is usually empty, and then a look-up costs one load.
final class ReservedDescriptors: Sendable {
    private let count = Atomic(0)
    private let descriptors = Lock<Set<Int32>>([])

    /// Adds a descriptor before it is passed to the library.
    func add(_ descriptor: Int32) {
        descriptors.withLock { _ = $0.insert(descriptor) }
        count.add(1, ordering: .releasing)
    }

    /// Removes a descriptor; false if it was not in the set.
    func remove(_ descriptor: Int32) -> Bool {
        guard count.load(ordering: .acquiring) > 0,
            descriptors.withLock({ $0.remove(descriptor) }) != nil
        else { return false }
        count.subtract(1, ordering: .relaxed)
        return true
    }
}

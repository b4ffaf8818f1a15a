import HTTPExchange
import Primitives
import Synchronization

/// Limits the connections in total and of each client, and keeps a reserve for operations such as health checks.
///
/// A connection above a limit is admitted to the reserve, so that a service whose connections are all in use does not look
/// dead to monitoring. A connection of the reserve serves one request within a short time. One client may have a quarter
/// of the reserve, and four connections, so that clients that use all connections cannot use the whole reserve too.
///
/// One thread admits connections; they leave on any thread.
final class ConnectionLimits: Sendable {
    /// The decision about a new connection.
    enum Admission {
        case ordinary
        case reserve
        /// Rejected: all connections and the reserve are in use.
        case overLimit
        /// Rejected: the client has as many connections as one client may have.
        case overShare
    }

    /// Connections that are counted together.
    private final class Group: Sendable {
        let count = Atomic(0)
        private let limit: Int
        private let shares: ClientShares

        init(limit: Int, share: Int) {
            self.limit = limit
            shares = ClientShares(limit: share)
        }

        /// Counts a connection, and returns `admission`; or the reason why it is rejected.
        func admit(_ client: ClientKey?, as admission: Admission) -> Admission {
            guard count.load(ordering: .relaxed) < limit else { return .overLimit }
            guard shares.reserve(client) else { return .overShare }
            count.add(1, ordering: .relaxed)
            return admission
        }

        func leave(_ client: ClientKey?) {
            shares.release(client)
            count.subtract(1, ordering: .relaxed)
        }
    }

    private let ordinary: Group
    private let reserve: Group

    init(_ configuration: Server.Configuration) {
        ordinary = Group(limit: configuration.maxConnections, share: configuration.maxConnectionsPerClient)
        let limit = configuration.reservedConnections
        reserve = Group(limit: limit, share: max(1, min(4, limit / 4)))
    }

    /// The number of admitted connections that have not left.
    var open: Int { ordinary.count.load(ordering: .relaxed) + reserved }

    /// The number of those in the reserve.
    var reserved: Int { reserve.count.load(ordering: .relaxed) }

    /// Counts a new connection, unless it is rejected; a trusted proxy is nil and has no share.
    func admit(_ client: ClientKey?) -> Admission {
        let admission = ordinary.admit(client, as: .ordinary)
        return admission != .ordinary && reserve.admit(client, as: .reserve) == .reserve ? .reserve : admission
    }

    /// Takes back the count of a connection that was admitted, once.
    func leave(_ client: ClientKey?, isReserve: Bool) {
        (isReserve ? reserve : ordinary).leave(client)
    }

    /// Forgets all connections: the server has ended.
    func reset() {
        ordinary.count.store(0, ordering: .relaxed)
        reserve.count.store(0, ordering: .relaxed)
    }
}

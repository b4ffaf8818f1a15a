package import BarFeature
package import Primitives
import SharedState

extension ServiceStatus {
    /// The store of the bars.
    package struct Store: Sendable {
        let kind: Kind
        let state: State
        /// The time when the state began.
        let since: WallTime
        /// The mean time of a call; nil for a store in memory, or before the first call.
        var latency: Duration?
        /// The calls that wait for a reply.
        var pending = 0

        enum Kind: String, Sendable {
            case memory, redis
        }

        enum State: String, Sendable {
            case up, away
        }
    }
}

extension ServiceStatus.Store {
    /// The state of a shared store, or of a store in memory for nil; `started` is the start of the process.
    package init(_ shared: SharedStoreStatus?, started: Instant) {
        guard let connection = shared?.connection else {
            self.init(kind: .memory, state: .up, since: SteadyClock().time(at: started))
            return
        }
        self.init(
            kind: .redis,
            state: connection.isAvailable ? .up : .away,
            since: SteadyClock().time(at: connection.since),
            latency: connection.latency,
            pending: connection.pending
        )
    }
}

import SharedState

/// The events of one round of the client's thread.
///
/// Only that thread uses it, so exclusivity is not checked at run time. The checks of this type, of `CommandQueue` and of
/// `ServerConnection` would take 4,600 of the 100,000 instructions of a POST.
final class Round {
    // What callers learn.

    @exclusivity(unchecked) var ended: [CommandQueue.Ended] = []
    @exclusivity(unchecked) var deliveries: [(receive: Channels.Receiver, event: WatchEvent)] = []
    @exclusivity(unchecked) var health: ClusterHealth?

    /// Whether each server must be one of a cluster: there are several addresses, or one server was.
    @exclusivity(unchecked) var isCluster = false

    // What the servers report to the cluster.

    /// The events of channels, with the connection that they came from.
    @exclusivity(unchecked) var events: [(channel: String, kind: Channels.Event, from: CommandQueue)] = []
    /// The commands that another server has to run.
    @exclusivity(unchecked) var redirected: [(job: CommandQueue.Job, to: Redirection)] = []
    /// The replies to requests for the map, with the connection that they came from.
    @exclusivity(unchecked) var maps: [(reply: RedisReply, from: CommandQueue)] = []
    /// Whether the map may be old; until it is asked for.
    @exclusivity(unchecked) var needsMap = false
    /// Whether a connection for commands was opened or closed.
    @exclusivity(unchecked) var hasChanged = false
    /// Whether slots have other owners.
    @exclusivity(unchecked) var mapHasChanged = false

    /// Forgets what the callers have learned, so that the memory of a command is free when its caller ends.
    func forget() {
        ended.removeAll(keepingCapacity: true)
        deliveries = []
        health = nil
    }

    /// Forgets what the cluster has done; a write that fails after it is a report for the next round.
    func endOfInput() {
        events = []
        redirected = []
        maps = []
        hasChanged = false
        mapHasChanged = false
    }
}

struct ClusterHealth: Equatable {
    /// Whether all keys are on usable servers.
    var isReady = false
    /// Whether some are.
    var isAccepting = false
    var isCluster = false
    /// The last failure of a server that is not usable, or of the map.
    var failure: ConnectionFailure?
}

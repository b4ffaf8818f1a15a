import Logging
import Network
import Primitives

/// The servers of a client, and the owner of each slot.
///
/// The map of the slots is loaded from any server, and again after every reply and loss that shows that it may be old.
/// Until it is known, the addresses of the setting are tried. A command goes to the owner of its key. If the slot has moved,
/// or is moving, the server names another one, and the command goes there. A command that no usable server has is refused at
/// once, without effect; for a server that was just named it waits until that is connected. One server is the owner of all
/// slots. Replicas of the owners have a connection, too, so that a failover needs no time for it.
///
/// Only the thread of the client uses it.
final class Cluster {
    private let environment: ConnectionEnvironment
    private let logger: Logger
    private var nodes: [RedisURL.Endpoint: Node] = [:]
    private var connections: [UInt64: ServerConnection] = [:]
    private var lastID: UInt64 = 0
    private var owners = [Node?](repeating: nil, count: KeySlot.count)
    /// The servers that own slots, each once.
    private var primaries: [Node] = []
    private let channels: Channels
    private var nextMap: Instant
    /// The number of maps that were asked for, which selects the server to ask.
    private var asked = 0
    /// The servers of the last map.
    private var lastServers: Set<RedisURL.Endpoint> = []
    private var mapFailure: ConnectionFailure?
    private let round = Round()
    private var health = ClusterHealth()
    /// The failures that were logged since all servers were usable: each is logged once.
    private var logged: [ConnectionFailure] = []

    /// The most failures that are logged for one loss: a broken server may have a new one for each attempt.
    private static let mostLogged = 8
    private static let mapInterval = Duration.milliseconds(100)
    private static let mostRedirections = 5
    /// The most servers that are connected: those of a map, and as many that were named since, or in the map before it.
    private static let mostNodes = 2 * SlotMap.mostServers

    init(_ environment: ConnectionEnvironment, logger: Logger) {
        self.environment = environment
        self.logger = logger
        round.isCluster = environment.configuration.urls.count > 1
        channels = Channels(round, logger: logger)
        nextMap = .now
        addSeeds()
    }

    /// The time of the next work without an event, or `latest` if that is earlier.
    func deadline(atMost latest: Instant) -> Instant {
        let latest = wantsMap ? min(latest, nextMap) : latest
        return connections.values.reduce(latest) { min($0, $1.deadline) }
    }

    // MARK: Rounds

    /// Handles the events of descriptors and the messages of callers, and does what is due; returns what callers learn.
    ///
    /// Commands that arrive during one round are sent in one write for each server.
    func round(_ events: [PollSet.Event], _ messages: [RedisClient.Message], now: Instant) -> Round {
        for event in events { connections[event.id]?.handle(event, now: now) }
        for connection in connections.values { connection.checkDeadline(now: now) }
        // Before the messages: a channel that ends and begins again with them would get the events of its former subscription.
        channels.deliver()
        for message in messages {
            switch message {
            case .command(let job): send(job, to: owner(of: job.command), now: now)
            case .watch(let channel, let number, let receive):
                let owner = owner(of: KeySlot.slot(of: channel))
                channels.add(channel, number: number, owner: owner, now: now, receive)
            case .unwatch(let channel, let number): channels.remove(channel, number: number, now: now)
            case .resolved(let addresses, let id):
                environment.lookUps.ended { connections[$0] != nil }
                connections[id]?.resolved(addresses, now: now)
            }
        }
        if round.hasChanged { connectionsChanged(now: now) }
        for (reply, connection) in round.maps { load(reply, from: connection, now: now) }
        for (job, redirection) in round.redirected { follow(redirection, job, now: now) }
        if round.mapHasChanged { channels.assign(owner: { owner(of: $0) }, now: now) }
        if wantsMap, nextMap <= now { askForMap(now: now) }
        round.endOfInput()
        // A write may fail, which is an event of the next round.
        for connection in connections.values { connection.flush(now: now) }
        round.health = changedHealth()
        return round
    }

    func stop() -> Round {
        for node in nodes.values { node.stop() }
        round.health = ClusterHealth(failure: .stopped)
        return round
    }

    // MARK: Commands

    private func owner(of command: RedisCommand) -> Node? {
        // One server owns all slots, and a command without a key goes to any owner.
        guard round.isCluster, let slot = command.slot else { return primaries.first }
        return owner(of: slot)
    }

    private func owner(of slot: UInt16) -> Node? { owners[Int(slot)] }

    private func send(_ job: CommandQueue.Job, to node: Node?, now: Instant) {
        guard let node, job.redirections <= Cluster.mostRedirections else {
            round.needsMap = true
            round.ended.append(CommandQueue.Ended(job: job, outcome: .failure(.notReady)))
            return
        }
        if !node.isReady { round.needsMap = true }
        node.queue.send(job, now: now)
    }

    /// Sends a command on to the server that another one has named.
    private func follow(_ redirection: Redirection, _ job: CommandQueue.Job, now: Instant) {
        guard let server = node(at: redirection.server) else { return send(job, to: nil, now: now) }
        job.isAsking = redirection.isAsking
        if !redirection.isAsking {
            round.needsMap = true
            setOwner(server, of: Int(redirection.slot)...Int(redirection.slot))
        }
        send(job, to: server, now: now)
    }

    private func setOwner(_ owner: Node, of slots: ClosedRange<Int>) {
        for slot in slots { owners[slot] = owner }
        if !primaries.contains(where: { $0 === owner }) { primaries.append(owner) }
        round.mapHasChanged = true
    }

    // MARK: The map

    private var wantsMap: Bool {
        round.isCluster && (round.needsMap || !health.isReady) && nodes.values.contains(where: \.isReady)
    }

    private func askForMap(now: Instant) {
        let ready = nodes.values.filter(\.isReady)
        guard !ready.isEmpty else { return }
        asked &+= 1
        ready[asked % ready.count].queue.askForMap(now: now)
        round.needsMap = false
        nextMap = now + Cluster.mapInterval
    }

    private func load(_ reply: RedisReply, from connection: CommandQueue, now: Instant) {
        guard let map = SlotMap(reply, from: connection.host) else {
            round.needsMap = true
            mapFailure = .noSlots
            return
        }
        // Two maps of one cluster have servers in common, unless it names them in another form since then. Following those
        // of two clusters in turn would split the keys.
        let isSame = lastServers.contains { map.servers.contains($0) || nodes[$0]?.queue === connection }
        guard lastServers.isEmpty || isSame || !primaries.contains(where: \.isReady) else {
            mapFailure = .severalClusters
            return
        }
        mapFailure = map.isWhole ? nil : .unassignedSlots
        lastServers = map.servers
        // First, so that a server that names others each time has the connections of one map. A usable server that left the
        // cluster is closed, too, when one of the map is usable; so are the addresses of the setting, after the first attempt
        // to connect each: it may be that of another cluster.
        let isUsable = map.owners.contains { nodes[$0.server]?.isReady == true }
        let configured = environment.configuration.urls.map(\.endpoint)
        for (endpoint, node) in nodes where !map.servers.contains(endpoint) && node.queue.isEmpty {
            let wasTried = node.isReady || node.queue.failure != nil
            guard isUsable || !node.isReady, wasTried || !configured.contains(endpoint) else { continue }
            node.stop()
            nodes[endpoint] = nil
            for connection in node.connections { connections[connection.id] = nil }
        }
        owners = Array(repeating: nil, count: KeySlot.count)
        primaries = []
        for (slots, endpoint) in map.owners {
            if let node = node(at: endpoint) { setOwner(node, of: slots) }
        }
        for endpoint in map.servers { _ = node(at: endpoint) }
    }

    /// Handles connections for commands that were opened or closed.
    private func connectionsChanged(now: Instant) {
        for node in nodes.values {
            guard let facts = node.queue.facts else {
                node.wasLost = node.wasLost || node.isKnown
                node.isKnown = false
                continue
            }
            round.isCluster = round.isCluster || facts.isCluster
            if !node.isKnown {
                if node.wasLost, !round.isCluster { node.reconnectSubscriptions(now: now) }
                node.wasLost = false
                if let policy = facts.evictionPolicy, policy != "noeviction" {
                    let message: Logger.Message = "maxmemory-policy of Redis must be noeviction, or it deletes values"
                    logger.warning(message, metadata: ["policy": "\(policy)"])
                }
                // Each is asked once, so that an address of another cluster is found.
                if round.isCluster { node.queue.askForMap(now: now) }
            }
            node.isKnown = true
            if !round.isCluster, primaries.first !== node {
                primaries = []
                setOwner(node, of: 0...KeySlot.count - 1)
            }
        }
        round.needsMap = true
        if !nodes.values.contains(where: \.isReady) { addSeeds() }
    }

    /// Returns the state of the connections, which is logged; nil if it is as before.
    private func changedHealth() -> ClusterHealth? {
        let isAccepting = primaries.contains(where: \.isReady)
        let isReady = isAccepting && primaries.allSatisfy(\.isReady) && mapFailure != .unassignedSlots
        var next = ClusterHealth(isReady: isReady, isAccepting: isAccepting, isCluster: round.isCluster, failure: nil)
        if !isReady || mapFailure == .severalClusters {
            let failures = (isAccepting ? primaries : Array(nodes.values)).compactMap(\.queue.failure)
            next.failure = failures.max { !$0.isPermanent && $1.isPermanent } ?? mapFailure ?? health.failure
        }
        guard next != health else { return nil }
        health = next
        if let reason = next.failure {
            guard !logged.contains(reason), logged.count < Cluster.mostLogged else { return next }
            logged.append(reason)
            let message: Logger.Message = isReady ? "Redis is not as configured" : "no connection to Redis"
            logger.log(level: reason.isPermanent ? .error : .warning, message, metadata: ["reason": "\(reason)"])
        } else if isReady {
            logged = []
            logger.notice("connected to Redis")
        }
        return next
    }

    // MARK: Servers

    private func addSeeds() {
        for url in environment.configuration.urls where nodes[url.endpoint] == nil { add(url) }
    }

    /// Returns the server of an address, which is connected if it is new; nil if there are too many.
    private func node(at endpoint: RedisURL.Endpoint) -> Node? {
        if let node = nodes[endpoint] { return node }
        guard nodes.count < Cluster.mostNodes else { return nil }
        return add(RedisURL(endpoint, like: environment.configuration.urls[0]))
    }

    @discardableResult
    private func add(_ url: RedisURL) -> Node {
        // The servers belong to this object, so none calls the function after it.
        let node = Node(url, round: round) { [unowned self] queue in
            lastID += 1
            let connection = ServerConnection(url, queue, id: lastID, now: .now, environment)
            connections[lastID] = connection
            return connection
        }
        nodes[url.endpoint] = node
        return node
    }
}

/// A server of a client: its connection for commands and, once a channel needs it, one for subscriptions.
///
/// Only the thread of the loop uses it.
final class Node {
    let queue: CommandQueue
    let subscriptions: CommandQueue
    private(set) var connections: [ServerConnection]
    /// Whether the cluster knows that the server is connected.
    var isKnown = false
    /// Whether the connection for commands was lost since it was ready.
    var wasLost = false
    private let connect: (CommandQueue) -> ServerConnection

    init(_ url: RedisURL, round: Round, connect: @escaping (CommandQueue) -> ServerConnection) {
        self.connect = connect
        queue = CommandQueue(host: url.host, round: round)
        subscriptions = CommandQueue(host: url.host, round: round, isForChannels: true)
        connections = [connect(queue)]
    }

    var isReady: Bool { queue.facts != nil }

    func subscribe(_ channel: String, now: Instant) {
        if connections.count == 1 { connections.append(connect(subscriptions)) }
        subscriptions.subscribe(channel, now: now)
    }

    /// Opens the connection for subscriptions again, after the other one was: the name may lead to another server now, and
    /// the former one keeps subscriptions after its demotion, without messages.
    func reconnectSubscriptions(now: Instant) {
        for connection in connections.dropFirst() { connection.fail(.closed, now: now) }
    }

    func stop() {
        for connection in connections { connection.stop() }
    }
}

extension RedisURL {
    /// The host of the server; empty for a socket.
    var host: String { if case .host(let host, _) = endpoint { host } else { "" } }
}

import Logging
import Primitives

// The servers of a client.
//
// The map tells the owner of each slot. It is loaded from any server, and again after every reply and loss that shows
// that it may be old. Until it is known, the addresses of the setting are tried. A command goes to the owner of its key.
// If the slot has moved, or is moving, the server names another one, and the command goes there. A command that no
// usable server has is refused at once, without effect.
//
// Replicas of the owners have a connection, too, so that a failover needs no time for it.

/// The servers of a client, the map of their slots, and the channels that are subscribed on them.
///
/// Only the thread of the loop uses it.
final class Cluster {
    /// Starts a look-up of a host; the addresses come back with the mark of the connection.
    typealias Resolver = (_ host: String, _ port: UInt16, _ mark: UInt64) -> Void

    /// A subscribed channel.
    private struct Channel {
        /// The server on which it is subscribed; nil until an owner of its slot is known.
        var node: Node?
    }

    private let configuration: RedisConfiguration
    private let tls: TLSContext?
    private let poll: PollSet
    private let logger: Logger
    private let resolver: Resolver
    private var nodes: [RedisURL.Endpoint: Node] = [:]
    private var connections: [UInt64: ServerConnection] = [:]
    private var lastMark: UInt64 = 0
    private var map: SlotMap?
    /// The servers of the map, by their index in it.
    private var mapped: [Node] = []
    private var isCluster = false
    private var channels: [String: Channel] = [:]
    private var messages: [RedisMessage] = []
    private var needsMap = false
    private var nextMap: Instant
    /// The number of maps that were asked for, which selects the server to ask.
    private var asked = 0
    private var turn = ClientTurn()
    /// Whether all owners were usable at the last event.
    private var isComplete = false

    /// The least time between two requests for the map.
    private static let mapInterval = Duration.milliseconds(100)
    /// The most servers to which a command goes.
    private static let mostRedirections = 5

    init(
        _ configuration: RedisConfiguration,
        tls: TLSContext?,
        poll: PollSet,
        logger: Logger,
        resolver: @escaping Resolver
    ) {
        self.configuration = configuration
        self.tls = tls
        self.poll = poll
        self.logger = logger
        self.resolver = resolver
        nextMap = .now
        addSeeds()
    }

    func connection(_ mark: UInt64) -> ServerConnection? { connections[mark] }

    /// The time of the next work without an event, or `latest` if that is earlier.
    func deadline(atMost latest: Instant) -> Instant {
        let latest = wantsMap ? min(latest, nextMap) : latest
        return nodes.values.reduce(latest) { $1.deadline(atMost: $0) }
    }

    /// Does what connections have left from earlier turns, and what is due.
    func goOn(now: Instant) {
        for node in nodes.values { node.goOn(now: now) }
    }

    func stop(now: Instant) {
        for node in nodes.values { node.stop(now: now) }
    }

    // MARK: Commands

    /// Sends each command to the server of its key.
    func send(_ jobs: [CommandQueue.Job], now: Instant) {
        guard !jobs.isEmpty else { return }
        if !isCluster, let node = mapped.first, node.isReady {
            return node.commands.send(now: now) { output in
                for job in jobs { node.queue.add(job, &output) }
            }
        }
        for job in jobs { send(job, to: owner(of: job.command.slot), now: now) }
    }

    private func send(_ job: CommandQueue.Job, to node: Node?, now: Instant) {
        guard let node, node.isReady, job.redirections <= Cluster.mostRedirections else {
            needsMap = true
            turn.ended.append(CommandQueue.Ended(job: job, result: .failure(.notReady)))
            turn.released += 1
            turn.releasedBytes += job.size
            return
        }
        node.commands.send(now: now) { node.queue.add(job, &$0) }
    }

    private func owner(of slot: UInt16?) -> Node? {
        map?.owner(of: slot).map { mapped[$0] }
    }

    /// Sends commands on to the servers that others have named.
    private func follow(_ redirected: [(job: CommandQueue.Job, to: Redirection)], now: Instant) {
        for (job, redirection) in redirected {
            var job = job
            switch redirection {
            case .moved(let slot, let endpoint):
                job.isAsking = false
                let index = map?.move(slot, to: endpoint)
                updateMapped(now)
                send(job, to: index.map { mapped[$0] }, now: now)
            case .ask(let endpoint):
                job.isAsking = true
                // The map has no server without slots. The first commands to a new one fail while it connects.
                let node = nodes[endpoint] ?? add(RedisURL(endpoint, like: configuration.urls[0]))
                node.isNamed = true
                send(job, to: node, now: now)
            }
        }
    }

    // MARK: Channels

    /// Subscribes a channel, or ends a subscription.
    func apply(_ change: SubscriptionTable.Change, now: Instant) {
        if change.isSubscribed {
            let node = channels[change.channel]?.node ?? owner(of: KeySlot.slot(of: .text(change.channel)))
            channels[change.channel] = Channel(node: node)
            node?.apply(change, now: now)
        } else {
            channels.removeValue(forKey: change.channel)?.node?.apply(change, now: now)
        }
    }

    /// Subscribes the channels that are not on the owners of their slots.
    private func assignChannels(now: Instant) {
        for (channel, place) in channels {
            guard let owner = owner(of: KeySlot.slot(of: .text(channel))), owner !== place.node else { continue }
            if let present = place.node {
                present.apply(SubscriptionTable.Change(channel: channel, isSubscribed: false), now: now)
                messages.append(.lost(channel: channel))
            }
            owner.apply(SubscriptionTable.Change(channel: channel, isSubscribed: true), now: now)
            channels[channel]?.node = owner
        }
    }

    /// Returns the events of all subscriptions since the last call.
    func takeMessages() -> [RedisMessage] {
        defer { messages = [] }
        return messages
    }

    // MARK: Turns

    /// Ends a turn: carries out what the replies lead to, sends everything, and returns the events.
    func endTurn(now: Instant) -> ClientTurn {
        var hasChanged = false
        for node in nodes.values {
            node.queue.expire(now: now)
            hasChanged = take(node.queue.takeProgress(), from: node, now: now) || hasChanged
            take(node.table.takeEvents(), from: node)
        }
        if wantsMap, nextMap <= now { askForMap(now) }
        for node in nodes.values { node.flush(now: now) }
        // A write may fail, which is an event of the next turn.
        if hasChanged {
            let health = health
            isComplete = health.isReady
            turn.health = health
        }
        defer { turn = ClientTurn() }
        return turn
    }

    /// Takes the events of a server; returns whether the state of its connection has changed.
    private func take(_ progress: CommandQueue.Progress, from node: Node, now: Instant) -> Bool {
        turn.ended += progress.ended
        turn.released += progress.released
        turn.releasedBytes += progress.releasedBytes
        needsMap = needsMap || progress.needsMap
        var hasChanged = false
        if let facts = progress.opened {
            node.failure = nil
            opened(node, facts, now)
            hasChanged = true
        } else if let failure = progress.failure {
            node.failure = failure
            needsMap = true
            if !nodes.values.contains(where: \.isReady) { addSeeds() }
            hasChanged = true
        }
        if let reply = progress.map {
            load(reply, from: node, now)
            hasChanged = true
        }
        follow(progress.redirected, now: now)
        return hasChanged || !progress.redirected.isEmpty
    }

    private func take(_ events: [RedisMessage], from node: Node) {
        for event in events {
            messages.append(event)
            // The server does not have the slot of the channel any more.
            if case .lost(let channel) = event, !node.table.has(channel), channels[channel]?.node === node {
                channels[channel]?.node = nil
                needsMap = true
            }
        }
    }

    private func opened(_ node: Node, _ facts: ServerFacts, _ now: Instant) {
        turn.opened.append(facts)
        isCluster = facts.isCluster
        if isCluster {
            needsMap = true
        } else {
            map = SlotMap(single: node.url.endpoint)
            mapped = [node]
            assignChannels(now: now)
        }
    }

    // MARK: The map

    private var wantsMap: Bool {
        isCluster && (needsMap || !isComplete) && nodes.values.contains(where: \.isReady)
    }

    private func askForMap(_ now: Instant) {
        let ready = nodes.values.filter(\.isReady)
        guard !ready.isEmpty else { return }
        asked &+= 1
        let node = ready[asked % ready.count]
        node.commands.send(now: now) { node.queue.askForMap(&$0) }
        needsMap = false
        nextMap = now + Cluster.mapInterval
    }

    private func load(_ reply: RedisReply, from node: Node, _ now: Instant) {
        guard let loaded = SlotMap(reply, from: node.queue.host) else {
            needsMap = true
            logger.warning("a map of the cluster cannot be read", metadata: ["server": "\(node.url)"])
            return
        }
        map = loaded
        updateMapped(now)
        // A server that left the cluster is closed when nothing is owed; the addresses of the setting, too.
        let known = Set(loaded.endpoints)
        guard mapped.contains(where: \.isReady) else { return }
        for (endpoint, node) in nodes {
            if known.contains(endpoint) {
                node.isNamed = false
            } else if !node.queue.isOwed, !node.isNamed || node.failure != nil {
                node.stop(now: now)
                nodes[endpoint] = nil
                for mark in node.marks { connections[mark] = nil }
            }
        }
    }

    /// Connects to the servers of the map that are new, and moves the channels.
    private func updateMapped(_ now: Instant) {
        guard let map else { return }
        guard
            map.endpoints.count != mapped.count || zip(map.endpoints, mapped).contains(where: { $0 != $1.url.endpoint })
        else { return assignChannels(now: now) }
        mapped = map.endpoints.map { endpoint in
            nodes[endpoint] ?? add(RedisURL(endpoint, like: configuration.urls[0]))
        }
        assignChannels(now: now)
    }

    private var health: ClientHealth {
        let owners = map?.ownerIndices.map { mapped[$0] } ?? []
        let isReady = !owners.isEmpty && owners.allSatisfy(\.isReady)
        let failing = owners.isEmpty || !owners.contains(where: \.isReady) ? Array(nodes.values) : owners
        return ClientHealth(
            isReady: isReady,
            isAccepting: owners.contains(where: \.isReady),
            failure: isReady ? nil : failing.compactMap(\.failure).max { !$0.isPermanent && $1.isPermanent }
        )
    }

    private func addSeeds() {
        for url in configuration.urls where nodes[url.endpoint] == nil { _ = add(url) }
    }

    private func add(_ url: RedisURL) -> Node {
        // The servers belong to this object, so none calls the function after it.
        let node = Node(url, timeout: configuration.timeout) { [unowned self] in connect(to: url, for: $0) }
        nodes[url.endpoint] = node
        return node
    }

    private func connect(
        to url: RedisURL,
        for traffic: any ConnectionTraffic
    ) -> (mark: UInt64, connection: ServerConnection) {
        lastMark += 1
        let mark = lastMark
        let connection = ServerConnection(
            url,
            configuration,
            tls: tls,
            traffic: traffic,
            poll: poll,
            mark: mark,
            now: .now
        ) { [resolver] host, port in resolver(host, port, mark) }
        connections[mark] = connection
        return (mark, connection)
    }
}

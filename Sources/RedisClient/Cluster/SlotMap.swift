/// The servers of the slots of a cluster, or of one server.
struct SlotMap: Equatable {
    typealias Endpoint = RedisURL.Endpoint

    /// The servers: those that own slots, and their replicas, which own slots after a failover.
    private(set) var endpoints: [Endpoint]
    /// The index of the owner of each slot; empty if one server owns all.
    private var owners: [UInt16]
    /// The indices of the servers that own slots.
    private(set) var ownerIndices: Set<Int>

    /// The most servers of a cluster, which bounds the effect of a broken reply.
    private static let mostServers = 1024
    private static let unowned = UInt16.max

    /// The map of one server that owns all slots.
    init(single: Endpoint) {
        endpoints = [single]
        owners = []
        ownerIndices = [0]
    }

    /// Reads the reply to CLUSTER SLOTS; nil for another reply, or one without slots.
    ///
    /// `host` is that of the server that replied, which may leave out its own.
    init?(_ reply: RedisReply, from host: String) {
        guard let ranges = reply.elements, !ranges.isEmpty else { return nil }
        endpoints = []
        owners = Array(repeating: Self.unowned, count: KeySlot.count)
        ownerIndices = []
        for range in ranges {
            guard let parts = range.elements, parts.count >= 3,
                let first = StoreReplies.number(parts[0], in: 0...KeySlot.count - 1),
                let last = StoreReplies.number(parts[1], in: first...KeySlot.count - 1),
                let owner = Self.endpoint(parts[2], from: host), let index = insert(owner)
            else { return nil }
            for slot in first...last { owners[slot] = UInt16(index) }
            ownerIndices.insert(index)
            // A replica without a known address is not usable.
            for replica in parts[3...].compactMap({ Self.endpoint($0, from: host) }) where insert(replica) == nil {
                return nil
            }
        }
    }

    /// The index of the owner of a slot; nil if it has none.
    ///
    /// A command without a key goes to any owner.
    func owner(of slot: UInt16?) -> Int? {
        guard let slot else { return ownerIndices.min() }
        guard !owners.isEmpty else { return 0 }
        let index = owners[Int(slot) % KeySlot.count]
        return index == Self.unowned ? nil : Int(index)
    }

    /// Notes that a slot has another owner; returns its index, or nil if there are too many servers.
    mutating func move(_ slot: UInt16, to endpoint: Endpoint) -> Int? {
        guard let index = insert(endpoint) else { return nil }
        if owners.isEmpty { owners = Array(repeating: 0, count: KeySlot.count) }
        owners[Int(slot) % KeySlot.count] = UInt16(index)
        ownerIndices.insert(index)
        return index
    }

    /// Returns the index of a server, which is new or known.
    mutating func insert(_ endpoint: Endpoint) -> Int? {
        if let index = endpoints.firstIndex(of: endpoint) { return index }
        guard endpoints.count < Self.mostServers else { return nil }
        endpoints.append(endpoint)
        return endpoints.count - 1
    }

    private static func endpoint(_ reply: RedisReply, from host: String) -> Endpoint? {
        guard let parts = reply.elements, parts.count >= 2, let port = StoreReplies.number(parts[1], in: 1...65_535)
        else { return nil }
        // A server that does not know its own address replies with nil; "?" is an unknown host name.
        if parts[0] == .null { return .host(host, port: UInt16(port)) }
        guard let name = parts[0].text, name != "?" else { return nil }
        return .host(name.isEmpty ? host : name, port: UInt16(port))
    }
}

/// The reply of a server that does not have the slot of a key (Redis Cluster Specification, "MOVED Redirection").
enum Redirection: Equatable {
    /// The slot is on another server from now on.
    case moved(UInt16, to: RedisURL.Endpoint)
    /// The key is on another server, to which its slot moves.
    case ask(RedisURL.Endpoint)

    /// Reads `MOVED 3999 host:port` or `ASK 3999 host:port`; nil for another error.
    ///
    /// `host` is that of the server that replied, which may leave out the host.
    init?(_ fault: RedisFault, from host: String) {
        guard fault.code == "MOVED" || fault.code == "ASK" else { return nil }
        let words = fault.text.split(separator: " ")
        guard words.count >= 3, let slot = UInt16(words[1]), slot < KeySlot.count,
            let colon = words[2].lastIndex(of: ":"),
            let port = UInt16(words[2][words[2].index(after: colon)...]), port > 0
        else { return nil }
        let name = words[2][..<colon]
        let endpoint = RedisURL.Endpoint.host(name.isEmpty ? host : String(name), port: port)
        self = fault.code == "MOVED" ? .moved(slot, to: endpoint) : .ask(endpoint)
    }
}

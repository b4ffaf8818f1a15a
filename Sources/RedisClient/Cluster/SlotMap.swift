package struct SlotMap {
    package typealias Endpoint = RedisURL.Endpoint

    package private(set) var owners: [(slots: ClosedRange<Int>, server: Endpoint)] = []
    /// All servers: those that own slots, and their replicas, which own slots after a failover.
    package private(set) var servers: Set<Endpoint> = []

    /// Whether each slot has an owner.
    var isWhole: Bool { owners.reduce(0) { $0 + $1.slots.count } == KeySlot.count }

    /// The most servers of a cluster, which bounds the effect of a broken reply: each has a connection.
    static let mostServers = 256

    /// Reads the reply to CLUSTER SLOTS; nil for another reply, for one without slots, and for one with two owners of a slot.
    ///
    /// `host` is that of the server that replied, which may leave out its own.
    package init?(_ reply: RedisReply, from host: String) {
        guard let ranges = reply.elements, !ranges.isEmpty else { return nil }
        var isOwned = [Bool](repeating: false, count: KeySlot.count)
        for range in ranges {
            guard let parts = range.elements, parts.count >= 3,
                let first = StoreReplies.number(parts[0], in: 0...KeySlot.count - 1),
                let last = StoreReplies.number(parts[1], in: first...KeySlot.count - 1),
                let owner = Self.endpoint(parts[2], from: host)
            else { return nil }
            for slot in first...last {
                if isOwned[slot] { return nil }
                isOwned[slot] = true
            }
            owners.append((first...last, owner))
            // A replica without a known address is not usable.
            for server in [owner] + parts[3...].lazy.compactMap({ Self.endpoint($0, from: host) }) {
                servers.insert(server)
                if servers.count > Self.mostServers { return nil }
            }
        }
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
package struct Redirection {
    package let slot: UInt16
    package let server: RedisURL.Endpoint
    /// Whether the slot is only on its way to the server; otherwise it is there from now on.
    package let isAsking: Bool

    /// Reads `MOVED 3999 host:port` or `ASK 3999 host:port`; nil for another error.
    ///
    /// `host` is that of the server that replied, which may leave out the host.
    package init?(_ fault: RedisFault, from host: String) {
        guard fault.code == "MOVED" || fault.code == "ASK" else { return nil }
        let words = fault.text.split(separator: " ")
        guard words.count >= 3, let slot = UInt16(words[1]), slot < KeySlot.count,
            let colon = words[2].lastIndex(of: ":"),
            let port = UInt16(words[2][words[2].index(after: colon)...]), port > 0
        else { return nil }
        let name = words[2][..<colon]
        self.slot = slot
        server = .host(name.isEmpty ? host : String(name), port: port)
        isAsking = fault.code == "ASK"
    }
}

/// The slots of a cluster, each on one server (Redis Cluster Specification, "Key distribution model").
package enum KeySlot {
    static let count = 16_384

    /// Returns the slot of a key: the CRC16 of the key, or of the part between its first braces.
    ///
    /// The CRC16 has the polynomial 0x1021 and the start 0 (the specification's appendix A).
    package static func slot(of key: String) -> UInt16 {
        var key = key
        return key.withUTF8 { key in
            var hashed = key[...]
            if let open = key.firstIndex(of: UInt8(ascii: "{")),
                let close = key[(open + 1)...].firstIndex(of: UInt8(ascii: "}")), close > open + 1
            {
                hashed = key[(open + 1)..<close]
            }
            var sum: UInt16 = 0
            for byte in hashed { sum = sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 8) ^ byte)] }
            return sum % UInt16(count)
        }
    }

    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
    }
}

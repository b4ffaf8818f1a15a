/// The first commands of a connection, and the decision on their replies.
package struct Greeting {
    private enum Step {
        case authenticate, select, name, information
    }

    package let bytes: [UInt8]
    private var steps: ArraySlice<Step>
    package private(set) var facts = ServerFacts()
    private let needsCluster: Bool

    /// With `needsCluster` a server that is in no cluster is refused.
    package init(_ url: RedisURL, needsCluster: Bool = false) {
        self.needsCluster = needsCluster
        var commands: [(step: Step, command: RedisCommand)] = []
        if let password = url.password {
            let user = url.user.map { [RedisWord.text($0)] } ?? []
            commands.append((.authenticate, RedisCommand(["AUTH"] + user + [.text(password)])))
        }
        if url.database != 0 { commands.append((.select, RedisCommand("SELECT", .integer(url.database)))) }
        commands.append((.name, RedisCommand("CLIENT", "SETNAME", "springbar")))
        commands.append((.information, RedisCommand("INFO")))
        bytes = commands.flatMap(\.command.bytes)
        steps = commands.map(\.step)[...]
    }

    /// Takes the next reply; returns whether it was the last one.
    ///
    /// - Throws: the reason why the server cannot be used.
    package mutating func take(_ reply: RedisReply) throws(ConnectionFailure) -> Bool {
        guard let step = steps.popFirst() else { throw .malformed("a reply without a command") }
        if case .error(let fault) = reply {
            if let failure = Self.failure(of: fault, to: step) { throw failure }
        } else if step != .information {
            guard reply == .status("OK") else { throw .malformed("a reply is not OK") }
        } else {
            guard let facts = ServerFacts(reply) else { throw .malformed("INFO has no version") }
            self.facts = facts
            // The oldest version with which the scripts are tested.
            guard (Int(facts.version.prefix { $0 != "." }) ?? 0) >= 7 else {
                throw .version(String(facts.version.prefix(32)))
            }
            if needsCluster, !facts.isCluster { throw .notACluster }
        }
        return steps.isEmpty
    }

    private static func failure(of fault: RedisFault, to step: Step) -> ConnectionFailure? {
        // It is the reply to the connection itself, before any command.
        if fault.text.hasPrefix("ERR max number of clients") { return .refused(fault) }
        // A server may quote the command in its words, and AUTH has the password.
        let fault = step == .authenticate ? RedisFault(fault.code) : fault
        if fault.isNotReady { return .notReady(fault) }
        switch (fault.code, step) {
        case ("WRONGPASS", _), ("NOAUTH", _): return .credentials(fault)
        // A server without passwords, or without AUTH, replies ERR.
        case ("ERR", .authenticate): return .credentials(fault)
        case ("ERR", .select): return .database(fault)
        // The name only helps to tell connections apart.
        case ("NOPERM", .name), ("ERR", .name): return nil
        case ("NOPERM", _): return .permission(fault)
        default: return .refused(fault)
        }
    }
}

/// The properties of a server, from its reply to INFO: lines of a name, a colon and a value.
package struct ServerFacts: Sendable, Equatable {
    package private(set) var version = ""
    /// `maxmemory-policy`; nil if the reply does not have it.
    package private(set) var evictionPolicy: String?
    package private(set) var isCluster = false

    init() {}

    /// Reads the reply; nil if it has no version.
    init?(_ reply: RedisReply) {
        for line in (reply.text ?? "").utf8.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = String(Substring(line[line.index(after: colon)...]))
            switch String(Substring(line[..<colon])) {
            case "redis_version": version = value
            case "maxmemory_policy": evictionPolicy = value
            case "cluster_enabled": isCluster = value == "1"
            default: continue
            }
        }
        if version.isEmpty { return nil }
    }
}

/// The first commands of a connection, and the decision on their replies.
struct Greeting {
    private enum Step {
        case authenticate, select, name, information
    }

    /// The oldest version with which the scripts are tested.
    private static let leastVersion = 7

    /// The encoded commands.
    let bytes: [UInt8]
    private var steps: ArraySlice<Step>
    private(set) var facts = ServerFacts()
    private let needsCluster: Bool

    /// With `needsCluster`, because there are several addresses, a single server is refused.
    init(_ url: RedisURL, needsCluster: Bool = false) {
        self.needsCluster = needsCluster
        var commands: [RedisCommand] = []
        var steps: [Step] = []
        if let password = url.password {
            let user = url.user.map { [RedisWord.text($0)] } ?? []
            commands.append(RedisCommand(["AUTH"] + user + [.text(password)]))
            steps.append(.authenticate)
        }
        if url.database != 0 {
            commands.append(RedisCommand("SELECT", .integer(url.database)))
            steps.append(.select)
        }
        commands.append(RedisCommand("CLIENT", "SETNAME", "springbar"))
        commands.append(RedisCommand("INFO"))
        steps += [.name, .information]
        bytes = commands.flatMap(\.bytes)
        self.steps = steps[...]
    }

    /// Takes the next reply; returns whether it was the last one.
    ///
    /// - Throws: the reason why the server cannot be used.
    mutating func take(_ reply: RedisReply) throws(ConnectionFailure) -> Bool {
        guard let step = steps.popFirst() else { throw .malformed("a reply without a command") }
        if let failure = check(reply, of: step) { throw failure }
        return steps.isEmpty
    }

    /// Takes the reply to a step; returns a failure if the server cannot be used.
    private mutating func check(_ reply: RedisReply, of step: Step) -> ConnectionFailure? {
        if case .error(let fault) = reply { return Self.failure(of: fault, to: step) }
        switch step {
        case .authenticate, .select, .name: return reply == .status("OK") ? nil : .malformed("a reply is not OK")
        case .information:
            guard let facts = ServerFacts(reply) else { return .malformed("INFO has no version") }
            self.facts = facts
            guard (Int(facts.version.prefix { $0 != "." }) ?? 0) >= Self.leastVersion else {
                return .version(String(facts.version.prefix(32)))
            }
            return needsCluster && !facts.isCluster ? .notACluster : nil
        }
    }

    private static func failure(of fault: RedisFault, to step: Step) -> ConnectionFailure? {
        if fault.isNotReady { return .notReady(fault) }
        switch (fault.code, step) {
        case ("WRONGPASS", _), ("NOAUTH", _): return .credentials(fault)
        // A server without passwords replies ERR to AUTH. A server with too many clients also replies ERR, without
        // that word.
        case ("ERR", .authenticate) where fault.text.contains("AUTH"): return .credentials(fault)
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
    /// Whether the server is one of a cluster.
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

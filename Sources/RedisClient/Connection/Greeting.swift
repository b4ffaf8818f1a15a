/// The first commands of a connection, and the decision on their replies.
struct Greeting {
    private enum Step {
        case authenticate, select, name, server, cluster, memory
    }

    enum Progress: Equatable {
        case more
        case done(ServerFacts)
        case refused(ConnectionFailure)
    }

    /// The oldest version with which the scripts are tested.
    private static let leastVersion = 7

    /// The encoded commands.
    let bytes: [UInt8]
    private var steps: ArraySlice<Step>
    private var facts = ServerFacts()
    private let needsCluster: Bool

    /// - Parameters:
    ///   - url: the address, with the credentials.
    ///   - needsCluster: whether a single server is refused, because there are several addresses.
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
        commands.append(RedisCommand("INFO", "server"))
        commands.append(RedisCommand("INFO", "cluster"))
        commands.append(RedisCommand("INFO", "memory"))
        steps += [.name, .server, .cluster, .memory]
        bytes = commands.flatMap(\.bytes)
        self.steps = steps[...]
    }

    /// Takes the next reply.
    mutating func take(_ reply: RedisReply) -> Progress {
        guard let step = steps.popFirst() else { return .refused(.malformed("a reply without a command")) }
        if let failure = check(reply, of: step) { return .refused(failure) }
        return steps.isEmpty ? .done(facts) : .more
    }

    /// Takes the reply to a step; returns a failure if the server cannot be used.
    private mutating func check(_ reply: RedisReply, of step: Step) -> ConnectionFailure? {
        if case .error(let fault) = reply { return Self.failure(of: fault, to: step) }
        switch step {
        case .authenticate, .select, .name: return reply == .status("OK") ? nil : .malformed("a reply is not OK")
        case .server:
            guard let version = ServerInformation(reply)?["redis_version"] else {
                return .malformed("INFO has no version")
            }
            let major = version.prefix { $0 != "." }
            return (Int(major) ?? 0) >= Self.leastVersion ? nil : .version(String(version.prefix(32)))
        case .cluster:
            facts.isCluster = ServerInformation(reply)?["cluster_enabled"] == "1"
            return needsCluster && !facts.isCluster ? .notACluster : nil
        case .memory:
            facts.evictionPolicy = ServerInformation(reply)?["maxmemory_policy"]
            return nil
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

/// The properties of a server, from its replies to the first commands.
package struct ServerFacts: Sendable, Equatable {
    /// `maxmemory-policy`; nil if the server does not tell it.
    package internal(set) var evictionPolicy: String?
    /// Whether the server is one of a cluster.
    package internal(set) var isCluster = false
}

/// The reply of INFO: lines of a name, a colon and a value.
package struct ServerInformation: Sendable {
    private let values: [Substring: Substring]

    /// Reads a reply; nil if it is not text.
    package init?(_ reply: RedisReply) {
        guard let text = reply.text else { return nil }
        var values: [Substring: Substring] = [:]
        for line in text.utf8.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) where line.first != UInt8(ascii: "#")
        {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            values[Substring(line[..<colon])] = Substring(line[line.index(after: colon)...])
        }
        self.values = values
    }

    package subscript(name: String) -> String? { values[name[...]].map(String.init) }
}

/// The first commands of a connection, and the decision on their replies.
struct Greeting {
    private enum Step {
        case authenticate, select, name, server, cluster
    }

    enum Progress: Equatable {
        case more
        case done
        case refused(ConnectionFailure)
    }

    /// The oldest version with `SET … NX GET`, which idempotency keys need.
    private static let leastVersion = 7

    /// The encoded commands.
    let bytes: [UInt8]
    private var steps: ArraySlice<Step>

    init(_ url: RedisURL) {
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
        steps += [.name, .server, .cluster]
        bytes = commands.flatMap(\.bytes)
        self.steps = steps[...]
    }

    /// Takes the next reply.
    mutating func take(_ reply: RedisReply) -> Progress {
        guard let step = steps.popFirst() else { return .refused(.malformed("a reply without a command")) }
        if let failure = Self.failure(of: reply, to: step) { return .refused(failure) }
        return steps.isEmpty ? .done : .more
    }

    private static func failure(of reply: RedisReply, to step: Step) -> ConnectionFailure? {
        if case .error(let fault) = reply { return failure(of: fault, to: step) }
        switch step {
        case .authenticate, .select, .name: return reply == .status("OK") ? nil : .malformed("a reply is not OK")
        case .server:
            guard let information = ServerInformation(reply), let version = information["redis_version"] else {
                return .malformed("INFO has no version")
            }
            let major = version.prefix { $0 != "." }
            return (Int(major) ?? 0) >= leastVersion ? nil : .version(String(version.prefix(32)))
        case .cluster:
            return ServerInformation(reply)?["cluster_enabled"] == "1" ? .cluster : nil
        }
    }

    private static func failure(of fault: RedisFault, to step: Step) -> ConnectionFailure? {
        if fault.isNotReady { return .notReady(fault) }
        switch (fault.code, step) {
        case ("WRONGPASS", _), ("NOAUTH", _): return .credentials(fault)
        // A server without passwords; one with too many clients replies ERR, too.
        case ("ERR", .authenticate) where fault.text.contains("AUTH"): return .credentials(fault)
        case ("ERR", .select): return .database(fault)
        // The name only helps to tell connections apart.
        case ("NOPERM", .name), ("ERR", .name): return nil
        case ("NOPERM", _): return .permission(fault)
        default: return .refused(fault)
        }
    }
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

import Foundation

/// A real cluster of Redis servers on 127.0.0.1, for tests.
package final class RedisClusterProcesses: Sendable {
    package enum Failure: Error {
        case didNotForm(output: String)
    }

    package let servers: [RedisServerProcess]
    package let ports: [Int]

    /// Starts three servers with equal parts of the slots, and waits until every one knows the cluster.
    package init(_ settings: [String] = []) throws {
        var servers: [RedisServerProcess] = []
        var ports: [Int] = []
        for _ in 0..<3 {
            let port = RedisServerProcess.freePort()
            servers.append(
                try RedisServerProcess(
                    [
                        "--cluster-enabled", "yes", "--bind", "127.0.0.1", "--port", "\(port)", "--cluster-port",
                        "\(RedisServerProcess.freePort())", "--cluster-node-timeout", "1000",
                        "--cluster-require-full-coverage", "no",
                    ] + settings
                )
            )
            ports.append(port)
        }
        (self.servers, self.ports) = (servers, ports)
        try form()
    }

    private func form() throws {
        for (index, port) in ports.enumerated() {
            let range = (index * 16_384 / 3, (index + 1) * 16_384 / 3 - 1)
            _ = try command(port, "CLUSTER", "ADDSLOTSRANGE", "\(range.0)", "\(range.1)")
            _ = try command(port, "CLUSTER", "SET-CONFIG-EPOCH", "\(index + 1)")
        }
        for port in ports.dropFirst() {
            let bus = try command(port, "CONFIG", "GET", "cluster-port").split(separator: "\n").last ?? ""
            _ = try command(ports[0], "CLUSTER", "MEET", "127.0.0.1", "\(port)", String(bus))
        }
        let isFormed = try eventually(within: .seconds(30)) {
            try ports.allSatisfy { port in
                let information = try command(port, "CLUSTER", "INFO")
                return information.contains("cluster_state:ok")
                    && information.contains("cluster_known_nodes:\(ports.count)")
                    && information.contains("cluster_slots_assigned:16384")
            }
        }
        guard isFormed else { throw Failure.didNotForm(output: try command(ports[0], "CLUSTER", "NODES")) }
    }

    /// The address of a server.
    package func url(_ index: Int = 0) -> String { "redis://127.0.0.1:\(ports[index])" }

    /// The identifier of a server in the cluster.
    package func identifier(_ port: Int) throws -> String {
        try command(port, "CLUSTER", "MYID").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs a command on a server by `redis-cli`; returns its output.
    @discardableResult
    package func command(_ port: Int, _ words: String...) throws -> String {
        let process = try RunningProcess(
            URL(fileURLWithPath: "/usr/bin/redis-cli"),
            ["-h", "127.0.0.1", "-p", "\(port)"] + words,
            environment: [:]
        )
        _ = process.waitForEnd(within: .seconds(10))
        return process.output
    }

    /// Moves a slot with its keys from one server to another one, as `redis-cli --cluster reshard` does.
    ///
    /// `halfway` runs when the keys have moved and the slot has not.
    package func move(slot: Int, from source: Int, to target: Int, halfway: () async throws -> Void = {}) async throws {
        let (sender, receiver) = (try identifier(ports[source]), try identifier(ports[target]))
        try command(ports[target], "CLUSTER", "SETSLOT", "\(slot)", "IMPORTING", sender)
        try command(ports[source], "CLUSTER", "SETSLOT", "\(slot)", "MIGRATING", receiver)
        let keys = try command(ports[source], "CLUSTER", "GETKEYSINSLOT", "\(slot)", "1000")
        for key in keys.split(separator: "\n") {
            try command(ports[source], "MIGRATE", "127.0.0.1", "\(ports[target])", String(key), "0", "5000")
        }
        try await halfway()
        for index in [target, source] + servers.indices.filter({ $0 != target && $0 != source }) {
            try command(ports[index], "CLUSTER", "SETSLOT", "\(slot)", "NODE", receiver)
        }
    }
}

import Foundation
import RedisClient
import SharedState
import TestSupport
import Testing

@Suite("Permissions of Redis", .timeLimit(.minutes(2)))
struct RedisPermissionTests {
    private let server: RedisServerProcess
    private let administrator: StoreFixture
    private let key = "a key"

    init() async throws {
        server = try RedisServerProcess()
        administrator = try await StoreFixture([server.url])
    }

    /// The line of the page is the one that is tested.
    @Test("The permissions of docs/scaling.md are enough, and each of them is needed")
    func documentedPermissions() async throws {
        let lines = try Checkout.text("docs/scaling.md").split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("user springbar on") })
        let rules = line.split(separator: " ").dropFirst(2).map(String.init)
        #expect(try await isEnough(rules))
        // SELECT is for a database in the URL, CLUSTER and ASKING are for a cluster; the client's name fails without effect on
        // a call.
        let others = ["+select", "+cluster|slots", "+asking", "+client|setname"]
        for rule in rules where rule.hasPrefix("+") && !others.contains(rule) {
            #expect(try await !isEnough(rules.filter { $0 != rule }), "\(rule)")
        }
    }

    @Test("The check of permissions has keys of the prefix, and leaves none without an end")
    func check() async throws {
        let control = try await administrator.control(server.url)
        let rules: [RedisWord] = ["ACL", "SETUSER", "springbar", "on", ">password", "~sb:*", "&sb:*", "+@all"]
        _ = try await control.send(RedisCommand(rules + ["-pexpire"]))
        let url = "unix://springbar:password@" + server.url.dropFirst("unix://".count)
        let store = try await StoreFixture([url], prefix: "sb")
        #expect(await store.store.missingPermission() != nil)
        #expect(try await control.send(RedisCommand("DBSIZE")) == .integer(0))
        _ = try await control.send(RedisCommand(rules))
        #expect(await store.store.missingPermission() == nil)
    }

    @Test("A check that is cancelled at any moment leaves a connection that accepts commands, and no key")
    func cancelledCheck() async throws {
        let store = administrator.store
        for round in 0..<200 {
            let check = Task { await store.missingPermission() }
            try await Task.sleep(for: .microseconds(20 * round))
            check.cancel()
            #expect(await check.value == nil)
            #expect(try await store.read(key) == nil)
        }
        #expect(await store.missingPermission() == nil)
        let control = try await administrator.control(server.url)
        #expect(try await control.send(RedisCommand("DBSIZE")) == .integer(0))
    }

    /// Uses every function of a store as a user with these rules.
    private func isEnough(_ rules: [String]) async throws -> Bool {
        let control = try await administrator.control(server.url)
        _ = try await control.send(RedisCommand("FLUSHALL"))
        _ = try await control.send(RedisCommand("SCRIPT", "FLUSH"))
        let set: [RedisWord] = ["ACL", "SETUSER", "springbar", "reset"]
        _ = try await control.send(RedisCommand(set + rules.map { .text($0) }))
        let url = "unix://springbar:password@" + server.url.dropFirst("unix://".count)
        let events = Received()
        do {
            let other = try await StoreFixture([url], prefix: "sb")
            let store = other.store
            // What the start of the service finds is what an operation needs.
            guard await store.missingPermission() == nil else { return false }
            let endWatch = store.watch(key) { events.append($0) }
            for _ in 0..<2 {
                _ = try await store.create(key, record(0), timeToLive: minute)
                _ = try await store.commit(key, commit(0, start: [0], entries: [[1], [2]]))
                _ = try await store.commit(key, commit(1, dropping: 1, start: [1]))
                guard try await store.readWithLog(key, limit: .max)?.entries == [[2]] else { return false }
                guard try await store.read(key) != nil else { return false }
                _ = try await store.commit(key, commit(2, endsLog: true))
                guard try await store.remove(key, base: version(3)) == .done else { return false }
                _ = try await store.claim("v", [1], timeToLive: minute)
                guard try await store.replace("v", claim: [1], with: [2], timeToLive: minute) else {
                    return false
                }
                guard try await store.get("v") == [2] else { return false }
                guard try await store.release("v", claim: [2]) else { return false }
                for member: UInt8 in 0...1 {
                    _ = try await store.share("s", [member], for: minute, limit: 1)
                }
                try await store.release("s", member: [0])
                _ = try await store.count("g", known: HourlyCount(), limit: 9)
            }
            // An idle connection is checked with PING.
            guard try await administrator.control(url).send(RedisCommand("PING")) == .status("PONG") else {
                return false
            }
            endWatch()
            return eventually(within: .seconds(5)) { events.all.first == .ready }
        } catch {
            return false
        }
    }
}

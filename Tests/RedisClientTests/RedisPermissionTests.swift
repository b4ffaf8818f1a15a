import Foundation
import SharedState
import TestSupport
import Testing

@testable import RedisClient

@Suite("Permissions of Redis", .timeLimit(.minutes(2)))
struct RedisPermissionTests {
    private let server: RedisServerProcess
    private let administrator: EngineFixture
    private let key = SharedKey("a key", isCounted: true)
    private let auxiliary = SharedKey("another key")
    private let minute = Duration.seconds(60)

    init() async throws {
        server = try RedisServerProcess()
        administrator = try await EngineFixture(server.url)
    }

    private func version(_ number: UInt64) -> SharedVersion { SharedVersion(high: number, low: 7) }

    private func write(_ base: UInt64, dropping: Int = 0, appending: [[UInt8]] = []) -> SharedWrite {
        SharedWrite(
            base: version(base),
            value: SharedValue(version(base + 1)),
            timeToLive: minute,
            dropping: dropping,
            appending: appending
        )
    }

    /// The line of the page is the one that is tested.
    @Test("The permissions of docs/scaling.md are enough, and each of them is needed")
    func documentedPermissions() async throws {
        var page = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { page.deleteLastPathComponent() }
        page.appendPathComponent("docs/scaling.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("user springbar on") })
        let rules = line.split(separator: " ").dropFirst(2).map(String.init)
        #expect(try await isEnough(rules))
        // SELECT is for a database in the URL, UNSUBSCRIBE and the client's name fail without effect on a call.
        for rule in rules where rule.hasPrefix("+") && !["+select", "+client|setname", "+sunsubscribe"].contains(rule) {
            #expect(try await !isEnough(rules.filter { $0 != rule }), "\(rule)")
        }
    }

    /// Uses every function of an engine as a user with these rules.
    private func isEnough(_ rules: [String]) async throws -> Bool {
        let control = try await administrator.control(server.url)
        _ = try await control.send(RedisCommand("FLUSHALL"))
        _ = try await control.send(RedisCommand("SCRIPT", "FLUSH"))
        let set: [RedisWord] = ["ACL", "SETUSER", "springbar", "reset"]
        _ = try await control.send(RedisCommand(set + rules.map { .text($0) }))
        let url = "unix://springbar:password@" + server.url.dropFirst("unix://".count)
        let events = Received()
        do {
            let other = try await EngineFixture(url, prefix: "sb")
            let store = try await StoreFixture([url], prefix: "sb")
            let missing = [await other.engine.missingPermission(), await store.store.missingPermission()]
            // What the start of the service finds is what an operation needs.
            guard missing == [nil, nil] else { return false }
            let watch = other.engine.watch(key) { events.append($0) }
            for _ in 0..<2 {
                _ = try await other.engine.create(key, SharedValue(version(0)), timeToLive: minute)
                _ = try await other.engine.exchange(key, write(0, appending: [[1], [2]]))
                _ = try await other.engine.exchange(key, write(1, dropping: 1))
                guard try await other.engine.readWithLog(key)?.log == [[2]] else { return false }
                guard try await other.engine.read(key) != nil else { return false }
                guard try await other.engine.delete(key, base: version(2)) == .done else { return false }
                _ = try await other.engine.create(auxiliary, SharedValue(version(0)), timeToLive: minute)
                guard try await other.engine.delete(auxiliary, base: version(0)) == .done else { return false }
                _ = try await other.engine.usage()
            }
            // An idle connection is checked with PING.
            guard try await administrator.control(url).send(RedisCommand("PING")) == .status("PONG") else {
                return false
            }
            other.engine.unwatch(watch)
            return eventually(within: .seconds(1)) { events.all.first == .ready }
        } catch {
            return false
        }
    }
}

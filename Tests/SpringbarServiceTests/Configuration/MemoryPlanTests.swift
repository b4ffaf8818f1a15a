import SpringbarService
import Testing

@Suite("The memory plan")
struct MemoryPlanTests {
    private func plan(limit: Int?, _ environment: [String: String] = [:]) throws -> MemoryPlan {
        MemoryPlan(try Configuration(environment: environment), limit: limit)
    }

    @Test("Without a limit all settings are kept")
    func withoutLimit() throws {
        let plan = try plan(limit: nil)
        #expect(plan.imageCacheBytes == 64 << 20)
        #expect(plan.inFlightBytes == 128 << 20)
        #expect(plan.sessionBytes == 256 << 20)
        #expect(plan.maxConnections == 4096)
        #expect(plan.maxBodyBytes == 256 << 10 && plan.maxThreads == .max)
        #expect(plan.socketBufferBytes == 128 << 10)
        #expect(plan.motionCacheBytes == 16 << 20)
        #expect(plan.photoCacheBytes == 40 << 20)
        #expect(plan.lowered.isEmpty)
    }

    @Test(
        "Under a limit all parts together, the kernel's buffers included, leave three sixteenths to the process",
        arguments: [64, 128, 256, 512, 4096, 65_536],
        [8 << 10, 64 << 10]
    )
    func partsFit(mebibytes: Int, head: Int) throws {
        let limit = mebibytes << 20
        let plan = try plan(limit: limit, ["SPRINGBAR_MAX_HEAD_BYTES": "\(head)"])
        // The library's memory for a connection, and the two buffers, for which the kernel allocates twice the size.
        let connection = 2 * head + (16 << 10) + 4 * plan.socketBufferBytes
        let parts =
            plan.imageCacheBytes + plan.inFlightBytes + plan.sessionBytes + plan.motionCacheBytes
            + plan.photoCacheBytes + plan.maxConnections * connection
        let json = 9 * plan.maxBodyBytes * plan.maxThreads
        #expect(parts <= limit / 16 * 13 && json <= limit / 16)
        #expect(plan.socketBufferBytes >= 16 << 10)
    }

    @Test("The limit of compose.yaml lowers four settings, which are reported")
    func compose() throws {
        let plan = try plan(limit: 256 << 20)
        #expect(plan.imageCacheBytes == 48 << 20)
        #expect(plan.inFlightBytes == 64 << 20)
        #expect(plan.sessionBytes == 32 << 20)
        #expect(plan.maxConnections == 512)
        #expect(plan.maxBodyBytes == 256 << 10 && plan.maxThreads == 7)
        #expect(plan.socketBufferBytes == 16 << 10)
        #expect(plan.motionCacheBytes == 8 << 20)
        #expect(plan.photoCacheBytes == 8 << 20)
        #expect(
            plan.lowered.map { "\($0.variable)=\($0.value)" } == [
                "SPRINGBAR_IMAGE_CACHE_BYTES=\(48 << 20)", "SPRINGBAR_MEMORY_BYTES=\(64 << 20)",
                "SPRINGBAR_SESSION_BYTES=\(32 << 20)", "SPRINGBAR_MAX_CONNECTIONS=512",
            ]
        )
        let declared = Configuration.declared.map(\.variable)
        #expect(plan.lowered.allSatisfy { declared.contains($0.variable) })
    }

    @Test(
        "A client's share of the connections shrinks with their limit",
        arguments: [
            ("1024", 4096, 1024), ("1024", 1024, 256), ("1024", 2, 1), ("0", 1024, 0), ("1000000", 1024, 250_000),
        ]
    )
    func shareOfConnections(share: String, connections: Int, expected: Int) throws {
        let environment = ["SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": share]
        let configuration = try Configuration(environment: environment)
        #expect(MemoryPlan.connectionsPerClient(configuration.server, of: connections) == expected)
    }

    @Test("Content is limited so that two workers can read it as JSON")
    func content() throws {
        let plan = try plan(limit: 256 << 20, ["SPRINGBAR_MAX_BODY_BYTES": "67108864"])
        #expect(plan.maxBodyBytes == (256 << 20) / 16 / 18 && plan.maxThreads == 2)
        #expect(plan.lowered.contains { $0 == ("SPRINGBAR_MAX_BODY_BYTES", plan.maxBodyBytes) })
    }

    @Test("A setting below its share is kept")
    func smallSettings() throws {
        let plan = try plan(limit: 1 << 30, ["SPRINGBAR_MEMORY_BYTES": "16777216"])
        #expect(plan.inFlightBytes == 16 << 20)
    }
}

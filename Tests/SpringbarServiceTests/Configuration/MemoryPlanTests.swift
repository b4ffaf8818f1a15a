import SpringbarService
import Testing

@Suite("The memory plan")
struct MemoryPlanTests {
    private func plan(limit: Int?, _ environment: [String: String] = [:]) throws -> MemoryPlan {
        MemoryPlan(try Configuration(SettingSource(flags: [:], environment: environment)), limit: limit)
    }

    @Test("without a limit every setting holds")
    func withoutLimit() throws {
        let plan = try plan(limit: nil)
        #expect(plan.imageCacheBytes == 64 << 20)
        #expect(plan.inFlightBytes == 128 << 20)
        #expect(plan.sessionBytes == 256 << 20)
        #expect(plan.maxConnections == 4096)
        #expect(plan.lowered.isEmpty)
    }

    @Test("in a container all parts together leave a quarter to the process", arguments: [64, 128, 256, 512, 4096])
    func partsFit(mebibytes: Int) throws {
        let limit = mebibytes << 20
        let plan = try plan(limit: limit)
        let parts =
            plan.imageCacheBytes + plan.inFlightBytes + plan.sessionBytes
            + plan.maxConnections * MemoryPlan.bytesPerConnection
        #expect(parts <= limit / 4 * 3)
    }

    @Test("the container of compose.yaml lowers three settings, and says which")
    func compose() throws {
        let plan = try plan(limit: 256 << 20)
        #expect(plan.imageCacheBytes == 64 << 20)
        #expect(plan.inFlightBytes == 64 << 20)
        #expect(plan.sessionBytes == 32 << 20)
        #expect(plan.maxConnections == 1024)
        #expect(plan.lowered == [.memoryBytes, .sessionBytes, .maxConnections])
        #expect(plan.value(of: .sessionBytes) == 32 << 20)
        #expect(plan.value(of: .port) == nil)
    }

    @Test(
        "a client's share of the connections shrinks with them",
        arguments: [
            ("1024", 4096, 1024), ("1024", 1024, 256), ("1024", 2, 1), ("0", 1024, 0), ("1000000", 1024, 250_000),
        ]
    )
    func shareOfConnections(share: String, connections: Int, expected: Int) throws {
        let environment = ["SPRINGBAR_MAX_CONNECTIONS_PER_CLIENT": share]
        let configuration = try Configuration(SettingSource(flags: [:], environment: environment))
        #expect(MemoryPlan.connectionsPerClient(configuration, of: connections) == expected)
    }

    @Test("a setting below its share holds")
    func smallSettings() throws {
        let plan = try plan(limit: 1 << 30, ["SPRINGBAR_MEMORY_BYTES": "16777216"])
        #expect(plan.inFlightBytes == 16 << 20)
    }
}

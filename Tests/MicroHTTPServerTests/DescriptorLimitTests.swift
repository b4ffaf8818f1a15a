import Glibc
import MicroHTTPServer
import Testing

@Suite struct DescriptorLimitTests {
    @Test(
        "the connections are limited by the descriptors that remain after the reserved ones",
        arguments: [
            (wanted: 4096, descriptors: 1_048_576, connections: 4096), (4096, 1024, 896), (896, 1024, 896),
            (1, 1024, 1), (4096, 64, 1), (1_000_000, .max, 1_000_000),
        ]
    )
    func connections(_ row: (wanted: Int, descriptors: Int, connections: Int)) {
        #expect(DescriptorLimit.connections(wanted: row.wanted, descriptors: row.descriptors) == row.connections)
    }

    @Test("connections leave the reserved descriptors to the rest of the process")
    func spare() {
        var limit = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #expect(DescriptorLimit.leavesSpare(above: 3))
        #expect(!DescriptorLimit.leavesSpare(above: Int32(clamping: Int(clamping: limit.rlim_cur) - 1)))
    }
}

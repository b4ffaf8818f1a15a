import Foundation
import TestSupport
import Testing

extension ProcessTests {
    @Suite("The metrics of the process")
    struct MetricsTests {
        @Test("Metrics count cached motion responses, computations and queued work")
        func motion() throws {
            let service = try ServiceProcess()
            let connection = try RawConnection(port: service.port)
            func get(_ target: String) throws -> RawResponse {
                try connection.exchange("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
            }
            for _ in 0..<3 {
                #expect(try get("/v1/springs/linear?dampingRatio=1&response=0.4&maxError=0.05").status == 200)
            }
            let lines = try get("/metrics").text.split(separator: "\n")
            #expect(lines.contains("springbar_motion_cache_misses_total 1"))
            #expect(lines.contains("springbar_motion_cache_hits_total 2"))
            #expect(lines.contains("springbar_motion_cache_entries 1"))
            #expect(lines.contains("springbar_motion_work_queued 0"))
            #expect(lines.contains("springbar_motion_work_running 0"))
            #expect(lines.contains("springbar_motion_work_refused_total 0"))
            let bytes = try #require(lines.first { $0.hasPrefix("springbar_motion_cache_bytes ") })
            #expect(try #require(Int(bytes.split(separator: " ")[1])) > 1000)
            // Every metric has a help text.
            for name in lines.compactMap({ $0.prefixMatch(of: #/\# TYPE (\w+) /#)?.output.1 }) {
                #expect(lines.contains { $0.hasPrefix("# HELP \(name) ") }, "\(name)")
            }
        }
    }
}

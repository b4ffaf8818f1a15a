import Foundation
import TestSupport
import Testing

extension ProcessTests {
    @Suite("The metrics of the process")
    struct MetricsTests {
        @Test("Metrics tell the limits, the version and the start of the process")
        func limits() throws {
            let service = try ServiceProcess(environment: [
                "SPRINGBAR_MAX_SESSIONS": "7", "SPRINGBAR_SESSION_BYTES": "2000000", "SPRINGBAR_MAX_CONNECTIONS": "90",
                "SPRINGBAR_IMAGE_CACHE_BYTES": "3000000", "SPRINGBAR_RATE_LIMIT_PER_HOUR": "60",
            ])
            let connection = try RawConnection(port: service.port)
            let lines = try connection.exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").text.split(separator: "\n")
            for line in [
                "springbar_bar_sessions_limit 7", "springbar_bar_limit_bytes 2000000", "springbar_connections_limit 90",
                "springbar_image_cache_limit_bytes 3000000", "springbar_upstream_budget_limit 60",
            ] {
                #expect(lines.contains { $0 == line }, "\(line)")
            }
            let version = try String(contentsOf: Checkout.file("VERSION"), encoding: .utf8)
            #expect(lines.contains("springbar_build_info{version=\"\(version.trimmingCharacters(in: .newlines))\"} 1"))
            let start = try #require(
                lines.first { $0.hasPrefix("process_start_time_seconds ") }?.split(separator: " ").last
            )
            #expect(abs(Date.now.timeIntervalSince1970 - (Double(start) ?? 0)) < 60)
            // The text is made once a second at most; a start that changed would look like a restart.
            usleep(1_100_000)
            let later = try connection.exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").text
            #expect(later.contains("process_start_time_seconds \(start)\n"))
        }

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

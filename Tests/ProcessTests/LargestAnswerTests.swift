import Foundation
import TestSupport
import Testing

extension ProcessTests {
    @Suite("The most expensive request for a bar")
    struct LargestAnswerTests {
        /// Returns the content of an `apply` request with events that each move the bar.
        private func apply(tracks: [String], events: Int) -> String {
            let events = (0..<events).map { "{\"type\":\"expand\",\"on\":\($0 % 2 == 0)}" }
            return """
                {"configuration":{"compactStateHeight":100,"normalStateHeight":200,"expandedStateHeight":300},\
                "scrollable":{"contentOffset":{"x":0,"y":-200},"contentSize":{"width":375,"height":4800},\
                "frame":{"x":0,"y":0,"width":375,"height":667}},"tracks":{\(tracks.joined(separator: ","))},\
                "events":[\(events.joined(separator: ","))]}
                """
        }

        @Test("The most expensive request takes at most a second of processor time")
        func time() throws {
            let service = try ServiceProcess(environment: ["SPRINGBAR_LOG_LEVEL": "notice"])
            let connection = try RawConnection(port: service.port)
            func seconds() throws -> Double {
                let metrics = try connection.exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").text
                let line = metrics.split(separator: "\n").first { $0.hasPrefix("process_cpu_seconds_total ") }
                return try #require(line?.split(separator: " ").last.flatMap { Double($0) })
            }
            // The largest number of keyframes in the fewest bytes, with 500 events, fills a request.
            let points = (0..<64).map { "{\"progress\":\($0)e-2,\"value\":0}" }.joined(separator: ",")
            let body = apply(tracks: (0..<128).map { "\"\($0)\":{\"keyframes\":[\(points)]}" }, events: 500)
            try #require(body.utf8.count < 262_144)
            let before = try seconds()
            for _ in 0..<10 { #expect(try connection.post("/v1/bars/apply", body).status == 200) }
            // The text of the metrics is made once a second at most.
            #expect(connection.isSilent(for: .milliseconds(1100)))
            let used = try seconds() - before
            #expect(used > 0.01 && used < 10)
        }
    }
}

import Foundation
import TestSupport
import Testing

extension ProcessTests {
    /// Repeats the in-process test over real sockets.
    ///
    /// Each writer has its own connection and thread.
    @Suite("Concurrent writers over sockets")
    struct ConcurrentWritersTests {
        private static let writers = 16

        @Test("16 clients that post 20,000 events to 100 bars lose none", .timeLimit(.minutes(2)))
        func losesNone() async throws {
            let service = try ServiceProcess(environment: ["SPRINGBAR_LOG_LEVEL": "notice"])
            let reader = try RawConnection(port: service.port)
            let bars = try (0..<100).map { _ in try reader.createBar() }
            try await everyWriter { writer in
                let connection = try RawConnection(port: service.port)
                for step in 0..<20_000 / Self.writers {
                    let bar = bars[(writer * 7 + step * 13) % bars.count]
                    try connection.scroll(bar, Double((writer + step * 29) % 700))
                }
            }
            let revisions = try bars.map { try #require(try reader.revision(of: $0)) }
            #expect(revisions.reduce(0, +) == 20_000)
        }

        @Test("Writers with If-Match lose no update", .timeLimit(.minutes(2)))
        func ifMatch() async throws {
            let service = try ServiceProcess(environment: ["SPRINGBAR_LOG_LEVEL": "notice"])
            let reader = try RawConnection(port: service.port)
            let bar = try reader.createBar()
            try await everyWriter { writer in
                let connection = try RawConnection(port: service.port)
                var done = 0
                while done < 20 {
                    let revision = try #require(try connection.revision(of: bar))
                    let answer = try connection.post(
                        bar + "/events",
                        #"{"type":"contentOffset","contentOffset":{"x":0,"y":\#(writer)}}"#,
                        "If-Match: \"\(revision)\"\r\n"
                    )
                    if answer.status == 200 {
                        // No other write came in between, so the revision is the next one.
                        #expect(answer["ETag"] == "\"\(revision + 1)\"")
                        done += 1
                    } else {
                        #expect(answer.status == 412)
                    }
                }
            }
            #expect(try reader.revision(of: bar) == 20 * Self.writers)
        }

        private func everyWriter(_ body: @escaping @Sendable (Int) throws -> Void) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<Self.writers {
                    group.addTask { try await blocking { try body(writer) } }
                }
                try await group.waitForAll()
            }
        }
    }
}

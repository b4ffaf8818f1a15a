import Foundation
import TestSupport
import Testing

extension ProcessTests {
    @Suite("The memory of bars")
    struct BarMemoryTests {
        /// A service with its own limit for bars, and two connections to it.
        private final class Fixture {
            let figures: ProcessFigures
            private let connections: [RawConnection]
            private var turn = 0
            let bodies = Bodies()

            init(_ environment: [String: String] = [:]) throws {
                let open = [
                    "SPRINGBAR_SESSION_BYTES": "4294967296", "SPRINGBAR_MAX_SESSIONS": "1000000",
                    "SPRINGBAR_MAX_SESSIONS_PER_CLIENT": "0", "SPRINGBAR_LOG_LEVEL": "notice",
                ]
                let service = try ServiceProcess(environment: open.merging(environment) { $1 })
                figures = ProcessFigures(service)
                connections = try (0..<2).map { _ in try RawConnection(port: service.port) }
            }

            /// Alternates between the connections, so that more than one worker allocates memory.
            var connection: RawConnection {
                turn += 1
                return connections[turn % 2]
            }

            func send(_ method: String, _ path: String, _ body: String = "", _ lines: String = "") throws -> RawResponse
            {
                let type = body.isEmpty ? "" : "Content-Type: application/json\r\n"
                let length = "Content-Length: \(body.utf8.count)\r\n\r\n"
                return try connection.exchange(
                    "\(method) \(path) HTTP/1.1\r\nHost: x\r\n\(type)\(lines)\(length)\(body)"
                )
            }

            func create(_ more: String = "", id: String = "feed", key: String? = nil) throws -> String {
                let lines = key.map { "Idempotency-Key: \($0)\r\n" } ?? ""
                let answer = try send("POST", "/v1/bars", Bodies.create(more, id: id), lines)
                return try #require(answer["Location"], "\(answer.text.prefix(300))")
            }

            func post(_ path: String, _ body: String) throws {
                let answer = try send("POST", path + "/events?results=none", body)
                try #require(answer.status == 200, "\(answer.text.prefix(300))")
            }

            func put(_ path: String, _ tracks: String) throws {
                let answer = try send("PUT", path + "/tracks", tracks, "If-Match: *\r\n")
                try #require(answer.status == 200, "\(answer.text.prefix(300))")
            }

            /// Returns a value of `/metrics`, whose text is made once a second at most.
            func metric(_ name: String, isNew: Bool = false) throws -> Double {
                if isNew { Thread.sleep(forTimeInterval: 1.1) }
                let lines = try send("GET", "/metrics").text.split(separator: "\n")
                let line = lines.first { $0.hasPrefix(name + " ") }
                return try #require(line?.split(separator: " ").last.flatMap { Double($0) })
            }
        }

        /// The bodies of requests.
        ///
        /// Each is written once, because an unoptimised test takes longer to write it than the service to read it.
        private final class Bodies {
            private var written: [String: String] = [:]

            private func once(_ name: String, _ write: () -> String) -> String {
                if let text = written[name] { return text }
                let text = write()
                written[name] = text
                return text
            }

            static func view(_ id: String) -> String {
                """
                {"id":"\(id)","contentOffset":{"x":0,"y":500},"contentSize":{"width":375,"height":4800},\
                "frame":{"x":0,"y":0,"width":375,"height":667}}
                """
            }

            static func create(_ more: String = "", id: String = "feed") -> String {
                """
                {"configuration":{"compactStateHeight":100,"normalStateHeight":200,"expandedStateHeight":300},\
                "scrollable":\(view(id)),"ttlSeconds":86400\(more.isEmpty ? "" : "," + more)}
                """
            }

            func events(_ count: Int, from start: Int = 0) -> String {
                once("\(count) events from \(start)") {
                    let events = (start..<start + count).map { number in
                        "{\"type\":\"contentOffset\",\"contentOffset\":{\"x\":0,\"y\":\(number % 300)}}"
                    }
                    return "{\"events\":[\(events.joined(separator: ","))]}"
                }
            }

            func tracks(_ count: Int, points: Int, name: String = "", value: Int = 0) -> String {
                once("\(count) tracks of \(points) points from \(value), \(name)") {
                    let tracks = (0..<count).map { track in
                        let points = (0..<points).map { "{\"progress\":\(Double($0) / 64),\"value\":\(value + $0)}" }
                        return "\"\(track)\(name)\":{\"keyframes\":[\(points.joined(separator: ","))]}"
                    }
                    return "{\(tracks.joined(separator: ","))}"
                }
            }
        }

        /// A kind of bar, and a count that takes about ten megabytes.
        private struct Shape: CustomTestStringConvertible, Sendable {
            let testDescription: String
            let count: Int
            let make: @Sendable (Fixture, Int) throws -> Void
        }

        private static let shapes: [Shape] = [
            Shape(testDescription: "minimal", count: 40_000) { fixture, _ in _ = try fixture.create() },
            Shape(testDescription: "20 events", count: 12_000) { fixture, _ in
                try fixture.post(try fixture.create(), fixture.bodies.events(20))
            },
            Shape(testDescription: "8 events, posted one by one", count: 12_000) { fixture, _ in
                let bar = try fixture.create()
                for number in 0..<8 { try fixture.post(bar, fixture.bodies.events(1, from: number)) }
            },
            Shape(testDescription: "512 events", count: 1500) { fixture, _ in
                let bar = try fixture.create()
                try fixture.post(bar, fixture.bodies.events(500))
                try fixture.post(bar, fixture.bodies.events(12, from: 500))
            },
            Shape(testDescription: "128 tracks with keyframes", count: 1000) { fixture, _ in
                _ = try fixture.create("\"tracks\":\(fixture.bodies.tracks(128, points: 8))")
            },
            Shape(testDescription: "Long names of tracks", count: 1200) { fixture, _ in
                let name = String(repeating: "n", count: 120)
                _ = try fixture.create("\"tracks\":\(fixture.bodies.tracks(20, points: 2, name: name))")
            },
            Shape(testDescription: "Tracks set repeatedly", count: 1000) { fixture, _ in
                let bar = try fixture.create("\"tracks\":\(fixture.bodies.tracks(16, points: 4))")
                for number in 1...10 { try fixture.put(bar, fixture.bodies.tracks(16, points: 4, value: number)) }
            },
            Shape(testDescription: "Tracks changed between events", count: 1000) { fixture, _ in
                let bar = try fixture.create("\"tracks\":\(fixture.bodies.tracks(64, points: 4))")
                for number in 1...8 {
                    try fixture.put(bar, fixture.bodies.tracks(1, points: 4, value: number))
                    try fixture.post(bar, fixture.bodies.events(64, from: number))
                }
            },
            Shape(testDescription: "Long names of views", count: 3000) { fixture, number in
                let name = String(repeating: "日", count: 128)
                let bar = try fixture.create(id: name)
                try fixture.post(bar, fixture.bodies.events(65))
                let other = Bodies.view(String(repeating: "本", count: 100 + number % 28))
                try fixture.post(bar, "{\"type\":\"set\",\"scrollable\":\(other)}")
            },
            Shape(testDescription: "Idempotency keys", count: 6000) { fixture, number in
                _ = try fixture.create(key: "\(number)" + String(repeating: "k", count: 200))
            },
        ]

        /// Returns the memory that bars add to the service, as counted by the service and as counted by the kernel.
        private func growth(_ shape: Shape) throws -> (counted: Double, resident: Double) {
            let fixture = try Fixture()
            // The first bars fill free memory of the allocator and load code.
            for number in 0..<shape.count / 10 { try shape.make(fixture, -1 - number) }
            let (counted, resident) = try (fixture.metric("springbar_bar_bytes"), fixture.figures.residentBytes())
            for number in 0..<shape.count { try shape.make(fixture, number) }
            let last = try fixture.metric("springbar_bar_bytes", isNew: true)
            return (last - counted, Double(try fixture.figures.residentBytes() - resident))
        }

        @Test("Counted memory and resident memory agree within a factor of 1.3", arguments: shapes)
        private func accounting(shape: Shape) throws {
            let (counted, resident) = try growth(shape)
            #expect(resident > 3_000_000, "too little to measure")
            #expect(counted > resident / 1.3, "\(counted) counted, \(resident) resident")
            #expect(counted < resident * 1.3, "\(counted) counted, \(resident) resident")
        }

        @Test("Under pressure new bars are refused, and writes go on without their logs")
        func pressure() throws {
            let limit = 24_000_000.0
            let fixture = try Fixture(["SPRINGBAR_SESSION_BYTES": "\(Int(limit))"])
            let before = try fixture.figures.residentBytes()
            var (bars, refused): ([String], Int) = ([], 0)
            for number in 0..<40_000 {
                let more = number % 3 == 0 ? "\"tracks\":\(fixture.bodies.tracks(number % 60, points: 3))" : ""
                let answer = try fixture.send("POST", "/v1/bars", Bodies.create(more))
                guard let bar = answer["Location"] else {
                    #expect(answer.status == 429 && answer.text.contains("/problems/session-limit"))
                    #expect(answer["Retry-After"] != nil)
                    refused += 1
                    if refused == 50 { break }
                    continue
                }
                bars.append(bar)
                try fixture.post(bar, fixture.bodies.events(100))
                if number % 200 == 0 { #expect(try fixture.metric("springbar_bar_bytes") <= limit) }
            }
            #expect(refused == 50)
            // Every bar still exists and accepts events, more than there is memory for their logs.
            #expect(try fixture.send("GET", bars[0] + "/states?at=100").status == 200)
            for _ in 0..<3 {
                for bar in bars { try fixture.post(bar, fixture.bodies.events(150)) }
            }
            let logs = try bars.map { try fixture.send("GET", $0 + "/states?at=550").status }
            #expect(logs.contains(410))
            #expect(try fixture.metric("springbar_bar_bytes") <= limit)
            #expect(Double(try fixture.figures.residentBytes() - before) < limit * 1.3)
        }
    }
}

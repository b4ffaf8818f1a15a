import HTTPExchange
import MicroHTTPServer
import Network
import Primitives
import TestSupport
import Testing

/// Tests the memory budget for content that is being received and responses that wait to be sent.
@Suite struct MemoryBudgetTests {
    private let head = "POST / HTTP/1.1\r\nHost: a\r\n"

    @Test(
        "unfinished content is charged as it arrives; a length that does not fit is refused before the content is sent"
    )
    func content() async throws {
        let memory = MemoryBudget(limit: 500_000)
        try await withServer(
            configure: { $0.memory = memory },
            answer: { .now(.text("\($0.content.count)")) }
        ) { fixture in
            // Declared content is not charged until it arrives.
            let idle = try (0..<20).map { _ in try fixture.connect() }
            for connection in idle { try connection.send(head + "Content-Length: 100000\r\n\r\n") }
            #expect(eventually { fixture.statistics.activeRequests == 20 })
            #expect(memory.bytes == 0)

            let senders = [idle[0], idle[1]]
            for connection in senders { try connection.send(String(repeating: "x", count: 99_999)) }
            #expect(eventually { memory.bytes == 200_000 })

            let late = try fixture.connect()
            let refused = try late.exchange(head + "Content-Length: 100000\r\nExpect: 100-continue\r\n\r\n")
            #expect(refused.status == 503)
            #expect(refused.text == "overloaded")
            #expect(refused.closes)
            #expect(try fixture.connect().exchange(post("small")).text == "5", "small content is not counted")

            for connection in senders {
                try connection.send("x")
                #expect(try connection.readResponse().text == "100000")
            }
            #expect(eventually { memory.bytes == 0 })
            #expect(try fixture.connect().exchange(post(String(repeating: "x", count: 100_000))).text == "100000")
        }
        #expect(memory.bytes == 0)
        #expect(memory.refusals > 0)
    }

    @Test("content above the budget, by length or in chunks, is read, discarded and refused")
    func growing() async throws {
        let memory = MemoryBudget(limit: 300_000)
        try await withServer(
            configure: { $0.memory = memory },
            answer: { .now(.text("\($0.content.count)")) }
        ) { fixture in
            let first = try fixture.connect()
            let second = try fixture.connect()
            let third = try fixture.connect()
            for connection in [first, second] { try connection.send(head + "Content-Length: 100000\r\n\r\n") }
            try third.send(head + "Transfer-Encoding: chunked\r\n\r\n")
            #expect(eventually { fixture.statistics.activeRequests == 3 })
            try first.send(String(repeating: "x", count: 99_999))
            #expect(eventually { memory.bytes == 100_000 })

            try second.send(String(repeating: "x", count: 100_000))
            let answer = try second.readResponse()
            #expect(answer.text == "overloaded")
            #expect(answer.status == 503)
            #expect(!answer.closes)
            #expect(try second.exchange(post("next")).text == "4")
            try third.send("186A0\r\n" + String(repeating: "x", count: 100_000) + "\r\n0\r\n\r\n")
            #expect(try third.readResponse().text == "overloaded")

            first.close()
            #expect(eventually { memory.bytes == 0 })
        }
    }

    @Test("a client behind a trusted proxy has a share of its own, for content too")
    func forwarded() async throws {
        let memory = MemoryBudget(limit: 200_000)
        let loopback = try #require(CIDR("127.0.0.0/8"))
        try await withServer(
            configure: {
                $0.memory = memory
                $0.proxies = TrustedProxies([loopback])
            },
            answer: { .now(.text("\($0.content.count)")) }
        ) { fixture in
            func sender(for client: String) throws -> RawConnection {
                let connection = try fixture.connect()
                try connection.send(head + "X-Forwarded-For: \(client)\r\nContent-Length: 60000\r\n\r\n")
                return connection
            }
            let first = try sender(for: "192.0.2.1")
            try first.send(String(repeating: "x", count: 59_999))
            #expect(eventually { memory.bytes == 60_000 })
            let second = try sender(for: "192.0.2.1")
            #expect(try second.readResponse().text == "overloaded")
            let other = try sender(for: "192.0.2.2")
            try other.send(String(repeating: "x", count: 60_000))
            #expect(try other.readResponse().text == "60000")
            withExtendedLifetime(first) {}
        }
        #expect(memory.bytes == 0)
    }

    @Test(
        "while a client is refused, its reader of less than 32 KiB a second is ended, and not that of another client",
        arguments: [false, true]
    )
    func slowReaders(isBehindProxy: Bool) async throws {
        let bytes = [UInt8](repeating: 7, count: 8_000_000)
        let memory = MemoryBudget(limit: 20_000_000)
        let proxies = isBehindProxy ? [try #require(CIDR("127.0.0.0/8"))] : []
        let (one, another) = ("X-Forwarded-For: 192.0.2.1\r\n", "X-Forwarded-For: 192.0.2.2\r\n")
        try await withServer(
            configure: {
                $0.memory = memory
                $0.proxies = TrustedProxies(proxies)
                $0.socketBufferBytes = 16 << 10
            },
            answer: { .now(Response(content: .bytes($0.target.path == "/" ? bytes : Array(bytes[..<1_000_000])))) }
        ) { fixture in
            let patient = try fixture.connect(from: "127.0.0.2", receiveBuffer: 4096)
            try patient.send(get("/part", another))
            let slow = try fixture.connect(receiveBuffer: 4096)
            try slow.send(get("/", one))
            #expect(eventually { memory.bytes >= 8_000_000 })
            let other = try fixture.connect()
            // No request is refused, so it may take any time.
            #expect(other.isSilent(for: .seconds(5)))
            #expect(memory.bytes >= 8_000_000)
            // A client has half of the budget, so the second answer is refused until the first reader has been ended.
            #expect(try other.exchange(get("/", one)).status == 503)
            let end = ContinuousClock.now + .seconds(20)
            var status = 0
            while status != 200, .now < end { status = try other.exchange(get("/", one)).status }
            #expect(status == 200)
            slow.close()
            #expect(try patient.readResponse().content.count == 1_000_000)
            #expect(eventually { memory.bytes == 0 })
        }
    }

    @Test(
        "a response is charged until it is read, and the charge of an aborted request is released",
        arguments: DisconnectTests.Way.allCases
    )
    func aborted(way: DisconnectTests.Way) async throws {
        let memory = MemoryBudget(limit: 100_000_000)
        let bytes = [UInt8](repeating: 7, count: 8_000_000)
        try await withServer(
            configure: { $0.memory = memory },
            answer: { _ in .now(Response(content: .bytes(bytes))) }
        ) { fixture in
            let sender = try fixture.connect()
            try sender.send(head + "Content-Length: 100000\r\n\r\n" + String(repeating: "x", count: 50_000))
            #expect(eventually { memory.bytes >= 50_000 })
            way.leave(sender)
            #expect(eventually { memory.bytes == 0 })
            let reader = try fixture.connect(receiveBuffer: 4096)
            try reader.send(get())
            #expect(eventually { memory.bytes == bytes.count })
            #expect(try reader.readResponse().content.count == bytes.count)
            #expect(eventually { memory.bytes == 0 })
            try reader.send(get())
            #expect(eventually { memory.bytes == bytes.count })
            if way == .halfClose { reader.close() } else { way.leave(reader) }
            #expect(eventually { memory.bytes == 0 })
        }
    }
}

import HTTPTypes
import Primitives
import Synchronization
import TestSupport
import Testing

@testable import HTTPExchange

@Suite
struct ClientRateTests {
    private let clock = TestClock()

    private func application(_ rate: ClientRate) throws -> Application {
        let clock = clock
        return try Application([.get("/", saying(""))], [rate], now: { clock.instant })
    }

    @Test("a burst is accepted, then one request in each interval; the time to wait is in whole seconds")
    func burst() async throws {
        let application = try application(ClientRate(perSecond: 0.5, burst: 3))
        func ask() async throws -> Response { try await application.response(to: request(peer: "192.0.2.1")) }
        for _ in 0..<3 { #expect(try await ask().status == .ok) }
        let refused = try await ask()
        #expect(refused.status == .tooManyRequests)
        #expect(refused.problemCode == "too-many-requests")
        #expect(refused.fields[.retryAfter] == "2")
        clock.advance(by: .milliseconds(1500))
        #expect(try await ask().fields[.retryAfter] == "1")
        clock.advance(by: .milliseconds(500))
        #expect(try await ask().status == .ok)
        #expect(try await ask().status == .tooManyRequests)
        clock.advance(by: .seconds(3600))
        for _ in 0..<3 { #expect(try await ask().status == .ok) }
        #expect(try await ask().status == .tooManyRequests)
    }

    @Test("operations are not limited, so that a busy service does not look dead")
    func operations() async throws {
        let routes: [Route] = [.get("/", saying("")), .get("/health", access: .operation, saying("ok"))]
        let application = try Application(routes, [ClientRate(perSecond: 0.1, burst: 1)])
        #expect(try await application.response(to: request(peer: "192.0.2.1")).status == .ok)
        #expect(try await application.response(to: request(peer: "192.0.2.1")).status == .tooManyRequests)
        for _ in 0..<10 {
            #expect(try await application.response(to: request(.get, "/health", peer: "192.0.2.1")).text == "ok")
        }
    }

    @Test("the default burst is that of a second, and at least one", arguments: [(0.1, 1), (1, 1), (2.5, 3), (20, 20)])
    func defaultBurst(rate: Double, expected: Int) async throws {
        let application = try application(ClientRate(perSecond: rate))
        var answered = 0
        for _ in 0..<100 where try await application.response(to: request(peer: "192.0.2.1")).status == .ok {
            answered += 1
        }
        #expect(answered == expected)
    }

    @Test(
        "clients are distinguished by address, those of IPv6 by their /64",
        arguments: [
            ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
            ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", true), ("2001:db8:0:1::1", "2001:db8:0:2::1", false),
            ("::1", "127.0.0.1", false),
        ]
    )
    func clients(first: String, second: String, areSame: Bool) async throws {
        let application = try application(ClientRate(perSecond: 1, burst: 1))
        #expect(try await application.response(to: request(peer: first)).status == .ok)
        let response = try await application.response(to: request(peer: second))
        #expect((response.status == .tooManyRequests) == areSame)
    }

    @Test("a client of unknown address is not limited")
    func unknown() async throws {
        let application = try application(ClientRate(perSecond: 1, burst: 1))
        for _ in 0..<5 { #expect(try await application.response(to: request()).status == .ok) }
    }

    @Test("a frequent client is not forgotten among many others")
    func bounded() async throws {
        let rate = ClientRate(perSecond: 1, burst: 2, capacity: 100)
        let application = try application(rate)
        func status(_ client: String) async throws -> HTTPResponse.Status {
            try await application.response(to: request(peer: client)).status
        }
        for _ in 0..<2 { #expect(try await status("192.0.2.1") == .ok) }
        for number in 0..<10_000 {
            #expect(try await status("10.0.\(number / 256).\(number % 256)") == .ok)
            if number < 90 { #expect(try await status("192.0.2.1") == .tooManyRequests) }
        }
        #expect(rate.fullAgain.withLock(\.count) <= 100)
    }

    @Test("any sequence of requests gets at most the rate and one burst")
    func rate() async throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<50 {
            let burst = Int.random(in: 1...10, using: &generator)
            let application = try application(ClientRate(perSecond: 10, burst: burst, capacity: 2))
            let start = clock.instant
            var granted = 0
            for _ in 0..<500 {
                clock.advance(by: .milliseconds(Int.random(in: 0...150, using: &generator)))
                let response = try await application.response(to: request(peer: "192.0.2.1"))
                if response.status == .ok { granted += 1 }
            }
            #expect(Double(granted) <= 10 * ((clock.instant - start) / .seconds(1)) + Double(burst) + 1e-6)
            // A client that keeps to the rate is not refused.
            clock.advance(by: .seconds(2))
            for _ in 0..<20 {
                #expect(try await application.response(to: request(peer: "192.0.2.1")).status == .ok)
                clock.advance(by: .milliseconds(100))
            }
        }
    }
}

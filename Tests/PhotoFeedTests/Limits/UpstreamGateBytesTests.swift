import TestSupport
import Testing

@testable import PhotoFeed

@Suite("The bytes of an UpstreamGate")
struct UpstreamGateBytesTests {
    private let origin = ContinuousClock.now
    private var start: ContinuousClock.Instant { origin + .seconds(1_700_000_000) }

    private func gate(limit: Int = 50) -> UpstreamGate { .shared(limit: limit, now: start, origin: origin) }

    private func read(_ bytes: [UInt8], limit: Int = 50) throws(GateBytesError) -> UpstreamGate {
        try UpstreamGate(bytes, limit: limit, since: origin)
    }

    /// The errors of calls, one of each kind of evidence, and those that change more than the breaker.
    private static let errors: [UpstreamError?] = [
        nil, nil, .timedOut, .timedOut, .cancelled, .notFound, .credentials, .rateLimited(retryAfter: .seconds(9)),
    ]

    /// Makes a random step, and returns what it told.
    private func step(
        _ gate: inout UpstreamGate,
        _ now: ContinuousClock.Instant,
        using generator: inout SeededGenerator
    ) -> UpstreamError? {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: return gate.enter(.client, now: now)
        case 1: return gate.enter(.background, now: now)
        default:
            let error = Self.errors.randomElement(using: &generator) ?? nil
            let remaining = Int.random(in: -1...60, using: &generator)
            let rateLimit = UpstreamRateLimit(limit: 50, remaining: remaining)
            return gate.leave(error, rateLimit: remaining > 50 ? nil : rateLimit, now: now)
        }
    }

    @Test("A gate that was written and read goes on like the original", arguments: 1...50)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var original = gate()
        var copy = original
        var now = start
        for _ in 0..<400 {
            now += .milliseconds(Int.random(in: 0...40_000, using: &generator))
            var other = generator
            let told = step(&original, now, using: &generator)
            #expect(step(&copy, now, using: &other) == told)
            let bytes = original.bytes(since: origin)
            #expect(bytes.count == UpstreamGate.byteCount)
            copy = try read(bytes)
            #expect(copy.bytes(since: origin) == bytes)
            #expect(copy.condition == original.condition)
            let (left, reset) = (copy.remaining(now: now), copy.untilReset(now: now))
            #expect(left == original.remaining(now: now))
            #expect(reset == original.untilReset(now: now))
        }
    }

    @Test("Bytes of another format, length or content are refused")
    func refused() {
        let bytes = gate().bytes(since: origin)
        #expect(throws: GateBytesError.wrongLength(0)) { try read([]) }
        #expect(throws: GateBytesError.unknownFormat(2)) { try read([2] + bytes.dropFirst()) }
        #expect(throws: GateBytesError.unknownFormat(0)) { try read([0]) }
        #expect(throws: GateBytesError.wrongLength(58)) { try read(bytes.dropLast()) }
        #expect(throws: GateBytesError.wrongLength(60)) { try read(bytes + [0]) }
        let changes: [(Int, UInt8)] = [
            (1, 16), (2, 3), (3, 0x80), (3, 0x7F), (19, 1), (27, 0xFF), (35, 1), (43, 8), (51, 8),
        ]
        for (index, byte) in changes {
            var bytes = bytes
            bytes[index] = byte
            #expect(throws: GateBytesError.invalid) { try read(bytes) }
        }
    }

    /// Uses a gate in every way.
    private func use(_ gate: UpstreamGate, _ now: ContinuousClock.Instant, using generator: inout SeededGenerator) {
        var gate = gate
        gate.bound(now: now)
        gate.restrict(by: self.gate())
        var known = self.gate()
        known.restrict(by: gate)
        for _ in 0..<10 { _ = step(&gate, now, using: &generator) }
        gate.leave(.timedOut, rateLimit: nil, at: start, now: now)
        #expect(gate.remaining(now: now) >= 0)
        #expect(gate.untilReset(now: now) > .zero)
        #expect((try? read(gate.bytes(since: origin))) != nil)
    }

    @Test("Random and extreme bytes are read or refused, and what was read can be used", arguments: 1...20)
    func extremes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let valid = gate().bytes(since: origin)
        let extremes: [Int64] = [
            0, 1, -1, .min, .max, 1 << 31, (1 << 31) + 1, 1 << 50, (1 << 50) + 1, 1_700_000_000_000, 3_600_000,
        ]
        var readable = 0
        for round in 0..<2000 {
            var bytes = valid
            if round.isMultiple(of: 2) {
                bytes[1] = UInt8.random(in: 0...15, using: &generator)
                bytes[2] = UInt8.random(in: 0...2, using: &generator)
                for field in 0..<7 where Bool.random(using: &generator) {
                    let number = extremes.randomElement(using: &generator) ?? 0
                    let range = 3 + field * 8..<11 + field * 8
                    withUnsafeBytes(of: number.bigEndian) { bytes.replaceSubrange(range, with: $0) }
                }
            } else {
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
                }
            }
            if round.isMultiple(of: 10) { bytes = Array(bytes.prefix(Int.random(in: 0...60, using: &generator))) }
            guard let gate = try? read(bytes, limit: [1, 50, 5000][round % 3]) else { continue }
            readable += 1
            for now in [origin, start, start + .seconds(5 * 3600), origin + .seconds(1 << 36)] {
                use(gate, now, using: &generator)
            }
        }
        #expect(readable > 100)
    }

    @Test("The hour of replicas is that of the clock")
    func hour() {
        var gate = gate()
        let reset = gate.untilReset(now: start)
        #expect(reset == .seconds(3600 - 1_700_000_000 % 3600))
    }

    @Test("Times that a clock left in the future are moved")
    func future() throws {
        let year = Duration.seconds(365 * 86_400)
        var later = UpstreamGate.shared(limit: 5, now: start + year, origin: origin)
        for _ in 0..<5 { later.leave(.timedOut, rateLimit: nil, now: start + year) }
        #expect(later.condition == .down)
        var gate = try read(later.bytes(since: origin), limit: 5)
        gate.bound(now: start)
        let reset = gate.untilReset(now: start)
        #expect(reset <= .seconds(3600))
        let refusal = gate.enter(.client, now: start)
        #expect(refusal == .unavailable(retryAfter: .seconds(30)))
        let probe = gate.enter(.client, now: start + .seconds(30))
        #expect(probe == nil)
    }

    @Test("Two states of an hour add up to what both know")
    func restricted() {
        var (a, b) = (gate(), gate())
        for _ in 0..<7 { _ = a.enter(.client, now: start) }
        b.leave(nil, rateLimit: UpstreamRateLimit(limit: 50, remaining: 45), now: start)
        b.restrict(by: a)
        let left = b.remaining(now: start)
        #expect(left == 43)
        b.leave(.rateLimited(retryAfter: .seconds(1)), rateLimit: nil, now: start)
        a.restrict(by: b)
        let refused = a.remaining(now: start)
        #expect(refused == 0)
        var next = UpstreamGate.shared(limit: 50, now: start + .seconds(3600), origin: origin)
        next.restrict(by: b)
        let anew = next.remaining(now: start + .seconds(3600))
        #expect(anew == 50)
        // Of two hours the later one counts.
        _ = next.enter(.client, now: start + .seconds(3600))
        b.restrict(by: next)
        let later = b.remaining(now: start + .seconds(3600))
        #expect(later == 49)
    }
}

@Suite("CircuitBreaker of replicas")
struct SharedCircuitBreakerTests {
    private let start = ContinuousClock.now

    @Test("A probe without a report is followed by another one")
    func lostProbe() {
        for longestProbe in [nil, Duration.seconds(60)] {
            var breaker = CircuitBreaker(threshold: 1, longestProbe: longestProbe)
            breaker.failed(now: start)
            let probe = breaker.permit(now: start + .seconds(2))
            #expect(probe == .granted)
            let beside = breaker.permit(now: start + .seconds(61))
            #expect(beside == .refused(retryAfter: .seconds(2)))
            let next = breaker.permit(now: start + .seconds(62))
            #expect((next == .granted) == (longestProbe != nil))
        }
    }
}

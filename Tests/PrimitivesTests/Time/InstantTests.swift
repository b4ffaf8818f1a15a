import Primitives
import Testing

@Suite("Instants and clocks")
struct InstantTests {
    @Test("Instants have sums, differences and an order, and no sum leaves their range")
    func arithmetic() {
        let start = Instant(nanoseconds: 5_000_000_000)
        #expect(start + .seconds(2) == Instant(nanoseconds: 7_000_000_000))
        #expect(start - .seconds(2) == Instant(nanoseconds: 3_000_000_000))
        #expect((start + .milliseconds(3)) - start == .milliseconds(3))
        #expect(start - (start + .seconds(1)) == .seconds(-1))
        #expect(start < start + .nanoseconds(1))
        #expect(start + .seconds(Int64.max) == .never)
        #expect(Instant.never + .nanoseconds(1) == .never)
        #expect(Instant(nanoseconds: -1) - .seconds(Int64.max) == Instant(nanoseconds: .min))
        #expect(Instant.never - Instant(nanoseconds: .min) > .zero)
    }

    @Test("The coarse reading is of the same clock, and never ahead of the exact one")
    func coarse() {
        for _ in 0..<1000 {
            let coarse = Instant.coarse
            let exact = Instant.now
            #expect(coarse <= exact)
            #expect(exact - coarse < .seconds(10))
        }
    }

    @Test("A steady clock converts moments both ways, and one after its start is its start")
    func steadyClock() {
        let (present, start) = (WallTime(milliseconds: 1_700_000_000_000), Instant.now)
        let clock = SteadyClock(origin: present, start: start)
        #expect(clock.time(at: start - .seconds(2)) == WallTime(milliseconds: present.milliseconds - 2000))
        #expect(clock.time(at: start + .seconds(2)) == WallTime(milliseconds: present.milliseconds + 2000))
        #expect(clock.moment(of: WallTime(milliseconds: present.milliseconds - 1000)) == start - .seconds(1))
        #expect(clock.moment(of: WallTime(milliseconds: present.milliseconds + 1000)) == start)
        for extreme in [Int.min, .max, 0] { #expect(clock.moment(of: WallTime(milliseconds: extreme)) <= start) }
    }
}

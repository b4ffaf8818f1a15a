import Primitives
import SharedState
import TestSupport
import Testing

@testable import SpringbarService

@Suite("A client's bars in a shared store")
struct ClientBarsTests {
    private func time(_ seconds: Int) -> WallTime { WallTime(milliseconds: seconds * 1000) }

    private func bar(_ number: Int, end: Int) -> ClientBars.Bar {
        ClientBars.Bar(id: BarID(high: 7, low: UInt64(number)), end: time(end))
    }

    @Test(
        "the present bars are those of the changes, in the order of their creation",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func model(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model = [bar(0, end: 100)]
        var bars = ClientBars(first: model[0], end: time(9))
        var log: [[UInt8]] = []
        var (replacements, end) = (0, time(9))
        for number in 1...400 {
            if model.count > 1, Int.random(in: 0..<5, using: &random) < 2 {
                let gone = model.remove(at: Int.random(in: 0..<model.count, using: &random))
                log.append(bars.remove(gone.id))
            } else if number % 97 == 0 {
                end = time(number)
                bars.renew(until: end)
            } else {
                model.append(bar(number, end: Int.random(in: 1..<1000, using: &random)))
                if number > 9 { end = time(number) }
                log.append(bars.add(model[model.count - 1], end: time(number)))
            }
            #expect(bars.revision == UInt64(number + 1 + replacements))
            #expect(bars.count == model.count)
            #expect(bars.logged == log.count)
            let read = try ClientBars(bars.value(nonce: 5))
            #expect(read == bars)
            #expect(try read.bars(log) == model)
            if number % 31 == 0 {
                let (next, entries) = try #require(bars.replaced(by: model, end: time(0), notDueBefore: time(0)))
                #expect(next.count == model.count)
                #expect(next.end == bars.end)
                (bars, log) = (next, entries)
                replacements += 1
            }
        }
        #expect(bars.end == end)
    }

    @Test("a bar that was counted twice is listed once; a deletion without a creation is ignored")
    func doubled() throws {
        var bars = ClientBars(first: bar(1, end: 50), end: time(9))
        let log = [
            bars.add(bar(2, end: 60), end: time(9)), bars.add(bar(2, end: 60), end: time(9)),
            bars.remove(bar(3, end: 0).id), bars.remove(bar(1, end: 0).id),
        ]
        #expect(try bars.bars(log) == [bar(2, end: 60)])
        #expect(bars.replaced(by: [], end: time(0), notDueBefore: time(0)) == nil)
    }

    @Test("at the limit the bars are reviewed if one may have ended")
    func due() {
        var bars = ClientBars(first: bar(1, end: 50), end: time(9))
        _ = bars.add(bar(2, end: 40), end: time(9))
        #expect(!bars.needsReview(limit: 3, now: time(99)))
        #expect(!bars.needsReview(limit: 2, now: time(39)))
        #expect(bars.needsReview(limit: 2, now: time(40)))
        // A limit that was lowered.
        #expect(bars.needsReview(limit: 1, now: time(40)))
    }

    @Test("after a review at the limit there is none for some time")
    func notDue() throws {
        let bars = ClientBars(first: bar(1, end: 50), end: time(9))
        let early = try #require(bars.replaced(by: [bar(1, end: 51)], end: time(9), notDueBefore: time(60))).next
        #expect(!early.needsReview(limit: 1, now: time(59)))
        #expect(early.needsReview(limit: 1, now: time(60)))
        let late = try #require(bars.replaced(by: [bar(1, end: 70)], end: time(9), notDueBefore: time(60))).next
        #expect(!late.needsReview(limit: 1, now: time(69)))
        #expect(late.needsReview(limit: 1, now: time(70)))
    }

    @Test("a log is reviewed when it has doubled")
    func length() {
        var bars = ClientBars(first: bar(0, end: 900), end: time(9))
        var reviews: [Int] = []
        for number in 1...1000 {
            if bars.needsReview(limit: 10_000, now: time(0)) {
                reviews.append(number)
                let present = (0..<number).map { bar($0, end: 900) }
                if let (next, _) = bars.replaced(by: present, end: time(9), notDueBefore: time(0)) { bars = next }
            }
            _ = bars.add(bar(number, end: 900), end: time(9))
        }
        #expect(reviews == [65, 193, 449, 961])
    }

    @Test("damaged bytes are errors, not traps")
    func damage() throws {
        var bars = ClientBars(first: bar(1, end: 50), end: time(1_700_000_000))
        let entry = bars.add(bar(2, end: 60), end: time(9))
        let value = bars.value(nonce: 3)
        for length in SharedVersion.byteCount..<value.bytes.count {
            let cut = try #require(SharedValue(stored: Array(value.bytes[..<length])))
            #expect(throws: StoredBytesError.self) { try ClientBars(cut) }
        }
        for length in entry.indices {
            #expect(throws: StoredBytesError.self) { try bars.bars([Array(entry[..<length])]) }
        }
        var newer = value.bytes
        newer[SharedVersion.byteCount] = 2
        let stored = try #require(SharedValue(stored: newer))
        #expect(throws: StoredBytesError.unknownFormat(2)) { try ClientBars(stored) }
        // A number that a damaged value has too low does not trap either.
        for index in value.bytes.indices {
            var bytes = value.bytes
            bytes[index] = 0
            guard let damaged = SharedValue(stored: bytes), var bars = try? ClientBars(damaged) else { continue }
            _ = bars.remove(bar(1, end: 0).id)
            _ = bars.remove(bar(1, end: 0).id)
            _ = bars.add(bar(3, end: 1), end: time(1))
            #expect(bars.count >= 1)
        }
    }
}

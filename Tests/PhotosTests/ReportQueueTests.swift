import Primitives
import TestSupport
import Testing

@testable import Photos

@Suite("ReportQueue")
struct ReportQueueTests {
    private func report(_ number: Int = 0) -> ReportQueue.Report {
        ReportQueue.Report(target: "https://api.example/photos/p\(number)/download", trace: nil)
    }

    private let start = Instant.now

    private func add(_ report: ReportQueue.Report, to queue: inout ReportQueue) -> Bool {
        let hasPlace = queue.reserve()
        #expect(hasPlace)
        return queue.add(report)
    }

    private func ended(_ report: ReportQueue.Report, in queue: inout ReportQueue, fails: Bool = false) -> Bool {
        if fails, queue.retry(report, after: .zero, now: start) { return false }
        queue.release()
        return true
    }

    @Test("reports are sent in order of arrival, by one sender")
    func order() {
        var queue = ReportQueue()
        let started = (0..<10).map { add(report($0), to: &queue) }
        #expect(started == [true] + Array(repeating: false, count: 9))
        for number in 0..<10 {
            let next = queue.next(now: start)
            #expect(next == .report(report(number)))
            #expect(queue.count == 10 - number, "one is being sent")
            let isDone = ended(report(number), in: &queue)
            #expect(isDone)
        }
        let last = queue.next(now: start)
        #expect(last == nil && queue.count == 0)
        let isStarted = add(report(), to: &queue)
        #expect(isStarted)
    }

    @Test("it holds 1,024 reports, including those in transfer and those that wait for a retry")
    func capacity() throws {
        var queue = ReportQueue()
        for number in 0..<ReportQueue.capacity { _ = add(report(number), to: &queue) }
        for fails in [true, false] {
            let hasRoom = queue.reserve()
            #expect(!hasRoom)
            guard case .report(let next) = queue.next(now: start) else { return #expect(Bool(false), "no report") }
            _ = ended(next, in: &queue, fails: fails)
        }
        let hasRoom = queue.reserve()
        #expect(hasRoom)
    }

    @Test("failed reports wait 1, 10, 60 and 600 seconds without delaying others, and are dropped after five attempts")
    func retries() throws {
        var queue = ReportQueue()
        var now = start
        for number in 1...4 { _ = add(report(number), to: &queue) }
        for (attempt, seconds) in [1, 10, 60, 600, nil].enumerated() {
            for _ in 1...4 {
                guard case .report(let failed) = queue.next(now: now) else { return #expect(Bool(false), "\(attempt)") }
                #expect(failed.target != report(5).target)
                let isRetried = queue.retry(failed, after: .seconds(attempt), now: now)
                #expect(isRetried == (seconds != nil))
                if !isRetried { queue.release() }
            }
            guard let seconds else { break }
            _ = add(report(5), to: &queue)
            let other = queue.next(now: now)
            #expect(other == .report(report(5)))
            queue.release()
            let pause = queue.next(now: now)
            #expect(pause == .pause(.seconds(seconds)))
            now += .seconds(seconds)
        }
        #expect(queue.count == 0)
    }

    @Test("a failed report waits at least as long as the library asks for")
    func retryAfter() {
        var queue = ReportQueue()
        _ = add(report(), to: &queue)
        guard case .report(let failed) = queue.next(now: start) else { return #expect(Bool(false), "no report") }
        _ = queue.retry(failed, after: .seconds(30), now: start)
        let pause = queue.next(now: start)
        #expect(pause == .pause(.seconds(30)))
    }

    /// In any order of events, no report is lost or sent twice, and a waiting report has a sender.
    @Test("nothing is lost", arguments: 0..<40)
    func nothingIsLost(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = ReportQueue()
        var (added, done) = (0, 0)
        var hasSender = false
        var now = start
        for round in 0..<3000 {
            if round < 2000, queue.count < ReportQueue.capacity, Bool.random(using: &random) {
                let isStarted = add(report(added), to: &queue)
                #expect(isStarted == !hasSender)
                hasSender = true
                added += 1
            } else if hasSender {
                now += .seconds(Int.random(in: 0...300, using: &random))
                switch queue.next(now: now) {
                case .report(let report):
                    let fails = Int.random(in: 0..<3, using: &random) == 0
                    if ended(report, in: &queue, fails: fails) { done += 1 }
                case .pause: break
                case nil: hasSender = false
                }
            }
            #expect(queue.count == added - done)
            #expect(queue.count == 0 || hasSender, "reports wait, and there is no sender")
        }
    }
}

import Primitives
import TestSupport
import Testing

@testable import PhotoFeature

@Suite("ReportQueue")
struct ReportQueueTests {
    private let start = Instant.now

    private func report(_ number: Int = 0) -> ReportQueue.Report {
        ReportQueue.Report(location: "https://api.example/photos/p\(number)/download", trace: nil)
    }

    private func add(_ report: ReportQueue.Report, to queue: inout ReportQueue, now: Instant? = nil) -> Bool {
        queue.reserve()
        return queue.add(report, now: now ?? start)
    }

    private func ended(
        _ report: ReportQueue.Report,
        in queue: inout ReportQueue,
        retryAfter: Duration?,
        now: Instant
    ) -> Bool {
        if queue.retry(report, after: retryAfter, now: now) { return false }
        queue.release()
        return true
    }

    @Test("reports are sent in order of arrival, by at most four senders")
    func order() {
        var queue = ReportQueue()
        let started = (0..<10).map { add(report($0), to: &queue) }
        #expect(started == [true, true, true, true] + Array(repeating: false, count: 6))
        for number in 0..<10 {
            let step = queue.next(now: start)
            #expect(step == .send(report(number)))
        }
        for _ in 0..<4 {
            let step = queue.next(now: start)
            #expect(step == .end)
        }
        #expect(queue.count == 10, "they are being sent")
        for number in 0..<10 {
            let isDone = ended(report(number), in: &queue, retryAfter: nil, now: start)
            #expect(isDone)
        }
        #expect(queue.count == 0)
        let isStarted = add(report(), to: &queue)
        #expect(isStarted)
    }

    @Test("it holds 1,024 reports, including those in transfer and those that wait for a retry")
    func capacity() {
        var queue = ReportQueue()
        for number in 0..<ReportQueue.capacity { _ = add(report(number), to: &queue) }
        #expect(!queue.hasRoom)
        guard case .send(let first) = queue.next(now: start) else { return #expect(Bool(false)) }
        #expect(!queue.hasRoom)
        _ = ended(first, in: &queue, retryAfter: .zero, now: start)
        #expect(!queue.hasRoom)
        guard case .send(let second) = queue.next(now: start) else { return #expect(Bool(false)) }
        _ = ended(second, in: &queue, retryAfter: nil, now: start)
        #expect(queue.hasRoom)
    }

    @Test("a failed report is sent again after 1, 10, 60 and 600 s, or later if the library says so, and then dropped")
    func retries() {
        var queue = ReportQueue()
        _ = add(report(), to: &queue)
        var now = start
        for wait: Duration in [.seconds(1), .seconds(10), .seconds(3600), .seconds(600)] {
            guard case .send(let taken) = queue.next(woke: true, now: now) else { return #expect(Bool(false)) }
            let isDone = ended(taken, in: &queue, retryAfter: wait == .seconds(3600) ? wait : .zero, now: now)
            #expect(!isDone)
            let early = queue.next(now: now + wait - .milliseconds(1))
            #expect(early == .wait(.milliseconds(1)))
            now += wait
        }
        guard case .send(let taken) = queue.next(woke: true, now: now) else { return #expect(Bool(false)) }
        let isDone = ended(taken, in: &queue, retryAfter: .zero, now: now)
        #expect(isDone)
        #expect(queue.count == 0)
    }

    @Test("one sender waits for retries, a second at a time, and a new report starts another sender")
    func waiting() {
        var queue = ReportQueue()
        for number in 0..<4 { _ = add(report(number), to: &queue) }
        for number in 0..<4 {
            _ = queue.next(now: start)
            _ = ended(report(number), in: &queue, retryAfter: .seconds(600), now: start)
        }
        let steps = (0..<4).map { _ in queue.next(now: start) }
        #expect(steps == [.wait(.seconds(1)), .end, .end, .end])
        let starts = (4..<9).map { add(report($0), to: &queue) }
        #expect(starts == [true, true, true, true, false])
    }

    /// In any order of events, no report is lost or sent twice concurrently, and a waiting report has a sender.
    @Test("nothing is lost", arguments: 0..<40)
    func nothingIsLost(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = ReportQueue()
        var now = start
        var added = 0
        var done = 0
        var senders = 0
        var sleepers = 0
        var sent: [ReportQueue.Report] = []
        func step(woke: Bool) {
            switch queue.next(woke: woke, now: now) {
            case .send(let report): sent.append(report)
            case .wait: sleepers += 1
            case .end: senders -= 1
            }
        }
        for round in 0..<3000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where round < 2000 && queue.hasRoom:
                if add(report(added), to: &queue, now: now) {
                    senders += 1
                    step(woke: false)
                }
                added += 1
            case 1 where !sent.isEmpty:
                let report = sent.remove(at: Int.random(in: sent.indices, using: &random))
                let fails = Int.random(in: 0..<3, using: &random) == 0
                if ended(report, in: &queue, retryAfter: fails ? .zero : nil, now: now) { done += 1 }
                step(woke: false)
            case 2 where sleepers > 0:
                now += .seconds(Int.random(in: 1...700, using: &random))
                sleepers -= 1
                step(woke: true)
            default: break
            }
            #expect(sleepers <= 1)
            #expect(senders <= ReportQueue.senders + 1)
            #expect(queue.count == added - done)
            #expect(queue.count == 0 || senders > 0, "reports wait, and no sender is left")
        }
    }
}

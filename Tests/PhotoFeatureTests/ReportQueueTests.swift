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

    @Test("reports are sent in order of arrival, by one sender")
    func order() {
        var queue = ReportQueue()
        let started = (0..<10).map { add(report($0), to: &queue) }
        #expect(started == [true] + Array(repeating: false, count: 9))
        for number in 0..<10 {
            let step = queue.next(now: start)
            #expect(step == .send(report(number)))
            #expect(queue.count == 10 - number, "one is being sent")
            let isDone = ended(report(number), in: &queue, retryAfter: nil, now: start)
            #expect(isDone)
        }
        let step = queue.next(now: start)
        #expect(step == .end && queue.count == 0)
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
            guard case .send(let taken) = queue.next(now: now) else { return #expect(Bool(false)) }
            let isDone = ended(taken, in: &queue, retryAfter: wait == .seconds(3600) ? wait : .zero, now: now)
            #expect(!isDone)
            let early = queue.next(now: now + wait - .milliseconds(1))
            #expect(early == .wait(.milliseconds(1)))
            now += wait
        }
        guard case .send(let taken) = queue.next(now: now) else { return #expect(Bool(false)) }
        let isDone = ended(taken, in: &queue, retryAfter: .zero, now: now)
        #expect(isDone)
        #expect(queue.count == 0)
    }

    @Test("the sender waits for a retry, a second at a time, and a new report comes first")
    func waiting() {
        var queue = ReportQueue()
        _ = add(report(0), to: &queue)
        _ = queue.next(now: start)
        _ = ended(report(0), in: &queue, retryAfter: .seconds(600), now: start)
        let waits = queue.next(now: start)
        #expect(waits == .wait(.seconds(1)))
        let isStarted = add(report(1), to: &queue)
        #expect(!isStarted)
        let step = queue.next(now: start)
        #expect(step == .send(report(1)))
    }

    /// In any order of events, no report is lost or sent twice, and a waiting report has a sender.
    @Test("nothing is lost", arguments: 0..<40)
    func nothingIsLost(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = ReportQueue()
        var now = start
        var (added, done) = (0, 0)
        var hasSender = false
        for round in 0..<3000 {
            if round < 2000, queue.hasRoom, Bool.random(using: &random) {
                let isStarted = add(report(added), to: &queue, now: now)
                #expect(isStarted == !hasSender)
                hasSender = true
                added += 1
            } else if hasSender {
                switch queue.next(now: now) {
                case .send(let report):
                    let fails = Int.random(in: 0..<3, using: &random) == 0
                    if ended(report, in: &queue, retryAfter: fails ? .zero : nil, now: now) { done += 1 }
                case .wait: now += .seconds(Int.random(in: 1...700, using: &random))
                case .end: hasSender = false
                }
            }
            #expect(queue.count == added - done)
            #expect(queue.count == 0 || hasSender, "reports wait, and there is no sender")
        }
    }
}

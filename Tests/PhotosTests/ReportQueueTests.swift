import TestSupport
import Testing

@testable import Photos

@Suite("ReportQueue")
struct ReportQueueTests {
    private func report(_ number: Int = 0) -> ReportQueue.Report {
        ReportQueue.Report(location: "https://api.example/photos/p\(number)/download", trace: nil)
    }

    private func add(_ report: ReportQueue.Report, to queue: inout ReportQueue) -> Bool {
        let hasPlace = queue.reserve()
        #expect(hasPlace)
        return queue.add(report)
    }

    private func ended(_ report: ReportQueue.Report, in queue: inout ReportQueue, fails: Bool = false) -> Bool {
        if fails, queue.retry(report) { return false }
        queue.release()
        return true
    }

    @Test("reports are sent in order of arrival, by one sender")
    func order() {
        var queue = ReportQueue()
        let started = (0..<10).map { add(report($0), to: &queue) }
        #expect(started == [true] + Array(repeating: false, count: 9))
        for number in 0..<10 {
            let next = queue.next()
            #expect(next == report(number))
            #expect(queue.count == 10 - number, "one is being sent")
            let isDone = ended(report(number), in: &queue)
            #expect(isDone)
        }
        let last = queue.next()
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
            let next = queue.next()
            _ = ended(try #require(next), in: &queue, fails: fails)
        }
        let hasRoom = queue.reserve()
        #expect(hasRoom)
    }

    @Test("a failed report comes after the others, and is dropped after five attempts")
    func retries() throws {
        var queue = ReportQueue()
        _ = add(report(1), to: &queue)
        _ = add(report(2), to: &queue)
        for attempt in 1...5 {
            let next = queue.next()
            let failed = try #require(next)
            #expect(failed.location == report(1).location)
            let isDone = ended(failed, in: &queue, fails: true)
            #expect(isDone == (attempt == 5))
            guard attempt == 1 else { continue }
            let other = queue.next()
            #expect(other == report(2))
            _ = ended(report(2), in: &queue)
        }
        #expect(queue.count == 0)
    }

    /// In any order of events, no report is lost or sent twice, and a waiting report has a sender.
    @Test("nothing is lost", arguments: 0..<40)
    func nothingIsLost(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = ReportQueue()
        var (added, done) = (0, 0)
        var hasSender = false
        for round in 0..<3000 {
            if round < 2000, queue.count < ReportQueue.capacity, Bool.random(using: &random) {
                let isStarted = add(report(added), to: &queue)
                #expect(isStarted == !hasSender)
                hasSender = true
                added += 1
            } else if hasSender {
                if let report = queue.next() {
                    let fails = Int.random(in: 0..<3, using: &random) == 0
                    if ended(report, in: &queue, fails: fails) { done += 1 }
                } else {
                    hasSender = false
                }
            }
            #expect(queue.count == added - done)
            #expect(queue.count == 0 || hasSender, "reports wait, and there is no sender")
        }
    }
}

import HTTPExchange
import PhotoFeed
import Primitives

/// The queue of download reports, as a state machine: decides which report is sent next, and when a failed one is retried.
///
/// A few senders work on the queue; at most one of them sleeps until the earliest retry, and the others end. A task for
/// each report would cost 5 kB: 200 MB for forty thousand that wait for the next hour.
struct ReportQueue: Sendable {
    /// A download to report.
    struct Report: Sendable, Equatable {
        /// The URL to report it at.
        let location: String
        /// The trace of its request; nil without one.
        let trace: UpstreamTrace?
        /// The number of failed attempts.
        fileprivate(set) var failures = 0

        init(location: String, trace: UpstreamTrace?) {
            self.location = location
            self.trace = trace
        }

        /// The bytes of the report while it waits: its texts and its entry.
        var cost: Int {
            location.utf8.count + (trace?.parent.utf8.count ?? 0) + (trace?.state?.utf8.count ?? 0) + 256
        }
    }

    /// The next action of a sender.
    enum Step: Sendable, Equatable {
        case send(Report)
        /// Sleep, and then call `next(woke: true)`.
        case wait(Duration)
        /// The sender ends.
        case end
    }

    /// The most reports in the queue.
    static let capacity = 1024
    /// The most senders at once.
    static let senders = 4
    /// The longest sleep, after which a sender looks for an earlier retry.
    private static let longestWait = Duration.seconds(1)
    /// The waits between attempts; ten minutes are longer than a restart of the library.
    private static let waits: [Duration] = [.seconds(1), .seconds(10), .seconds(60), .seconds(600)]

    /// In the order of arrival; those before `firstReady` have been taken.
    private var ready: [Report] = []
    private var firstReady = 0
    /// The latest first.
    private var retries: [(due: Instant, report: Report)] = []
    private var sending = 0
    private var isWaiting = false
    private var running = 0
    /// The number of places that are reserved for reports while their keys are compared.
    private var reserved = 0

    /// The reports that wait or are being sent.
    var count: Int { ready.count - firstReady + retries.count + sending }

    /// Whether another report fits.
    var hasRoom: Bool { count + reserved < Self.capacity }

    /// Reserves a place for a report.
    ///
    /// - Precondition: `hasRoom`.
    mutating func reserve() {
        precondition(hasRoom, "the queue is full")
        reserved += 1
    }

    /// Releases a place that was reserved.
    mutating func release() {
        reserved -= 1
    }

    /// Adds a report.
    ///
    /// - Precondition: `hasRoom`.
    /// - Returns: true if another sender is to be started.
    mutating func add(_ report: Report) -> Bool {
        precondition(hasRoom, "the queue is full")
        ready.append(report)
        // A sender that sleeps until a retry wakes too late for this report.
        guard running - (isWaiting ? 1 : 0) < Self.senders else { return false }
        running += 1
        return true
    }

    /// Returns the next action of a sender; `woke` is true after a sleep.
    mutating func next(woke: Bool = false, now: Instant) -> Step {
        if woke { isWaiting = false }
        while let last = retries.last, last.due <= now {
            retries.removeLast()
            ready.append(last.report)
        }
        if firstReady < ready.count {
            let report = ready[firstReady]
            firstReady += 1
            if firstReady == ready.count || firstReady >= Self.capacity {
                ready.removeFirst(firstReady)
                firstReady = 0
            }
            sending += 1
            return .send(report)
        }
        guard let last = retries.last, !isWaiting else {
            running -= 1
            return .end
        }
        isWaiting = true
        return .wait(min(Self.longestWait, last.due - now))
    }

    /// Records the end of an attempt.
    ///
    /// - Parameters:
    ///   - report: a report that `next` has returned.
    ///   - retryAfter: the least wait before the next attempt; nil for no more attempts.
    ///   - now: the time.
    /// - Returns: true if the report has left the queue.
    mutating func ended(_ report: Report, retryAfter: Duration?, now: Instant) -> Bool {
        sending -= 1
        guard let retryAfter, report.failures < Self.waits.count else { return true }
        let due = now + max(Self.waits[report.failures], retryAfter)
        var report = report
        report.failures += 1
        let index = retries.firstIndex { $0.due <= due } ?? retries.endIndex
        retries.insert((due, report), at: index)
        return false
    }
}

/// The idempotency keys of downloads: a repeated POST is reported once.
struct ReportKeys: Sendable {
    private var photos = BoundedCache<IdempotencyKey, Timestamped<String>>(capacity: 10_000)

    /// The time for which a key is remembered.
    static let memory = Duration.seconds(86_400)

    enum Verdict: Equatable {
        case new
        case repeated
        /// The key belongs to a download of another photo.
        case conflict
    }

    /// Compares a download with the earlier one of the same key.
    mutating func verdict(_ key: IdempotencyKey, photo: String, now: Instant) -> Verdict {
        guard let known = photos.value(for: key), now - known.fetched < Self.memory else { return .new }
        return known.value == photo ? .repeated : .conflict
    }

    /// Remembers the download of a photo under a key.
    mutating func record(_ key: IdempotencyKey, photo: String, now: Instant) {
        photos.insert(Timestamped(value: photo, fetched: now), for: key, cost: 1)
    }
}

import HTTPExchange
import PhotoFeed
import Primitives

/// The queue of download reports: decides which report is sent next, and when a failed one is retried.
///
/// One sender works on the queue. The library allows fewer reports in a second than it can send. A task for each report
/// would cost 5 kB: 200 MB for forty thousand that wait for the next hour.
struct ReportQueue: Sendable {
    /// A download to report.
    struct Report: Sendable, Equatable {
        /// The URL to report it at.
        let location: String
        /// The trace of its request; nil without one.
        let trace: UpstreamTrace?
        /// The number of failed attempts.
        var failures = 0

        /// The bytes of the report while it waits: its texts and its entry.
        var cost: Int {
            location.utf8.count + (trace?.parent.utf8.count ?? 0) + (trace?.state?.utf8.count ?? 0) + 256
        }
    }

    /// The next action of the sender.
    enum Step: Sendable, Equatable {
        case send(Report)
        case wait(Duration)
        /// The sender ends; the next report starts another one.
        case end
    }

    /// The most reports in the queue.
    static let capacity = 1024
    /// The longest sleep, after which the sender looks for an earlier report.
    private static let longestWait = Duration.seconds(1)
    /// The waits between attempts; ten minutes are longer than a restart of the library.
    private static let waits: [Duration] = [.seconds(1), .seconds(10), .seconds(60), .seconds(600)]

    /// The reports that wait, the earliest due first, and then in the order of arrival.
    private var waiting: [(due: Instant, report: Report)] = []
    private var hasSender = false
    /// The reports that have a place: before they are added, while they wait, and while they are sent.
    private(set) var count = 0

    /// Whether another report fits.
    var hasRoom: Bool { count < Self.capacity }

    /// Reserves a place for a report, which is then added; there must be room.
    mutating func reserve() {
        precondition(hasRoom, "the queue is full")
        count += 1
    }

    /// Releases the place of a report that is not added, or not sent again.
    mutating func release() {
        count -= 1
    }

    /// Adds a report that has a place; returns whether the sender is to be started.
    mutating func add(_ report: Report, now: Instant) -> Bool {
        insert(report, due: now)
        defer { hasSender = true }
        return !hasSender
    }

    /// Returns the next action of the sender.
    mutating func next(now: Instant) -> Step {
        guard let first = waiting.first else {
            hasSender = false
            return .end
        }
        if first.due > now { return .wait(min(Self.longestWait, first.due - now)) }
        return .send(waiting.removeFirst().report)
    }

    /// Adds a report again after an attempt; returns false if it is done, and its place must be released.
    ///
    /// `least` is the least wait before the next attempt; nil for no more attempts.
    mutating func retry(_ report: Report, after least: Duration?, now: Instant) -> Bool {
        guard let least, report.failures < Self.waits.count else { return false }
        var report = report
        let wait = max(Self.waits[report.failures], least)
        report.failures += 1
        insert(report, due: now + wait)
        return true
    }

    private mutating func insert(_ report: Report, due: Instant) {
        waiting.insert((due, report), at: waiting.firstIndex { $0.due > due } ?? waiting.endIndex)
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

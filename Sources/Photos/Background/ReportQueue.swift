import HTTPExchange
import Primitives

/// The queue of download reports.
///
/// One sender works on the queue: the library allows fewer reports in a second than it can send.
struct ReportQueue: Sendable {
    struct Report: Sendable, Equatable {
        let location: String
        /// The trace of its request; nil without one.
        let trace: UpstreamTrace?
        var failures = 0

        /// The bytes of the report while it waits: its texts and its entry.
        var cost: Int { location.utf8.count + (trace?.parent.utf8.count ?? 0) + (trace?.state?.utf8.count ?? 0) + 256 }
    }

    static let capacity = 1024
    private static let attempts = 5

    private var waiting: [Report] = []
    private var hasSender = false
    /// The reports that have a place: before they are added, while they wait, and while they are sent.
    private(set) var count = 0

    /// Reserves a place for a report, which is then added or released; returns false if the queue is full.
    mutating func reserve() -> Bool {
        guard count < ReportQueue.capacity else { return false }
        count += 1
        return true
    }

    /// Releases the place of a report that is not added, or not sent again.
    mutating func release() {
        count -= 1
    }

    /// Adds a report that has a place; returns whether the sender is to be started.
    mutating func add(_ report: Report) -> Bool {
        waiting.append(report)
        defer { hasSender = true }
        return !hasSender
    }

    /// Returns the next report to send; without one the sender ends.
    mutating func next() -> Report? {
        hasSender = !waiting.isEmpty
        return hasSender ? waiting.removeFirst() : nil
    }

    /// Adds a report again after a failure; returns false after the last attempt, and its place must be released.
    mutating func retry(_ report: Report) -> Bool {
        var report = report
        report.failures += 1
        guard report.failures < ReportQueue.attempts else { return false }
        waiting.append(report)
        return true
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

    /// Compares a download with the earlier one of the same key, or remembers it.
    mutating func verdict(_ key: IdempotencyKey, photo: String, now: Instant) -> Verdict {
        if let known = photos.value(for: key), now - known.fetched < Self.memory {
            return known.value == photo ? .repeated : .conflict
        }
        photos.insert(Timestamped(value: photo, fetched: now), for: key, cost: 1)
        return .new
    }
}

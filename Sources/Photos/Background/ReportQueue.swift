import HTTPExchange
import Primitives

/// The queue of download reports.
///
/// One sender works on the queue: the library allows fewer reports in a second than it can send. A failed report waits for
/// a time of its own, so that it does not delay the others.
struct ReportQueue: Sendable {
    struct Report: Sendable, Equatable {
        /// The path and query of the call.
        let target: String
        /// The trace of its request; nil without one.
        let trace: UpstreamTrace?
        fileprivate(set) var failures = 0
        /// The time of the next attempt; nil before the first.
        fileprivate var due: Instant?

        init(target: String, trace: UpstreamTrace?) {
            self.target = target
            self.trace = trace
        }

        /// The bytes of the report while it waits: its texts and its entry.
        var cost: Int { target.utf8.count + (trace?.parent.utf8.count ?? 0) + (trace?.state?.utf8.count ?? 0) + 256 }
    }

    enum Next: Sendable, Equatable {
        case report(Report)
        /// Only failed reports are left, of which the first is due after this time.
        case pause(Duration)
    }

    static let capacity = 1024
    /// The times between the attempts; ten minutes are longer than a restart of the library.
    private static let pauses: [Duration] = [.seconds(1), .seconds(10), .seconds(60), .seconds(600)]

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

    /// Returns the next report to send, or the time to wait; without a report the sender ends.
    mutating func next(now: Instant) -> Next? {
        hasSender = !waiting.isEmpty
        if let index = waiting.firstIndex(where: { $0.due ?? now <= now }) { return .report(waiting.remove(at: index)) }
        return waiting.compactMap(\.due).min().map { .pause($0 - now) }
    }

    /// Adds a report again after a failure, to be sent after at least this time.
    ///
    /// - Returns: false after the last attempt, and its place must be released.
    mutating func retry(_ report: Report, after time: Duration, now: Instant) -> Bool {
        guard report.failures < Self.pauses.count else { return false }
        var report = report
        report.due = now + max(time, Self.pauses[report.failures])
        report.failures += 1
        waiting.append(report)
        return true
    }
}

/// The idempotency keys of downloads: a repeated POST is reported once.
struct ReportKeys: Sendable {
    private var photos = BoundedCache<IdempotencyKey, Timestamped<String>>(capacity: 4 << 20)

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
        if let report = photos.value(for: key), now - report.fetched < Self.memory {
            return report.value == photo ? .repeated : .conflict
        }
        photos.insert(
            Timestamped(value: photo, fetched: now),
            for: key,
            cost: 256 + key.text.utf8.count + photo.utf8.count
        )
        return .new
    }
}

/// The report of a download, a GET of the API.
enum DownloadReport {
    /// The path and query of the `download_location` that the library states for a photo; nil if it is another address.
    ///
    /// Only these are used, at the configured API: the key must not follow a link. The id must be well-formed, so that an
    /// encoded `..` does not lead to another path of the library.
    static func target(of location: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: location.hasPrefix) else { return nil }
        let target = location.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
        let path = target.prefix { $0 != "?" }
        let query = target.dropFirst(path.count)
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count == 4, segments[0].isEmpty, segments[1] == "photos", segments[3] == "download",
            let id = PercentEncoding.decode(segments[2]), LibraryName(id) != nil,
            PercentEncoding.encodeIllegal(in: query) == query, PercentEncoding.decode(query) != nil
        else { return nil }
        return String(target)
    }
}

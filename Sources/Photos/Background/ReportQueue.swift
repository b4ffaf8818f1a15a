import HTTPExchange
import Primitives

/// The queue of download reports.
///
/// One sender works on the queue: the library allows fewer reports in a second than it can send. A failed report waits
/// outside of the queue, so that it does not delay the others.
struct ReportQueue: Sendable {
    struct Report: Sendable {
        /// The path and query of the call.
        let target: String
        /// The trace of its request; nil without one.
        let trace: UpstreamTrace?
        /// The client that has sent it.
        let client: ClientKey?
        var failures = 0

        /// The bytes of the report while it waits: its texts, its entry and its task.
        var cost: Int { target.utf8.count + (trace?.parent.utf8.count ?? 0) + (trace?.state?.utf8.count ?? 0) + 512 }
    }

    static let capacity = 1024

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

    /// Removes the next report to send; without one the sender ends.
    mutating func next() -> Report? {
        hasSender = !waiting.isEmpty
        return hasSender ? waiting.removeFirst() : nil
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
    /// The target of the report for the `download_location` that the library states for a photo; nil if it is another address.
    ///
    /// Only the id and the query are used, at the configured API: the key must not follow a link. What precedes `/photos` is
    /// the API's own path. The id must be well-formed, so that an encoded `..` does not lead to another path of the library.
    static func target(of location: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: location.hasPrefix) else { return nil }
        let target = location.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
        let path = target.prefix { $0 != "?" }
        let query = target.dropFirst(path.count)
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count >= 4, let photo = segments.dropLast().last, let id = PercentEncoding.decode(photo),
            segments.suffix(3) == ["photos", photo, "download"], LibraryName(id) != nil,
            PercentEncoding.encodeIllegal(in: query) == query, PercentEncoding.decode(query) != nil
        else { return nil }
        return "/photos/\(photo)/download\(query)"
    }
}

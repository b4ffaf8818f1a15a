import HTTPExchange
import PhotoLibrary
import Primitives

/// The queue of download reports, and the idempotency keys of downloads: a repeated POST is reported once.
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
    /// The time for which a key is remembered.
    static let keyMemory = Duration.seconds(86_400)

    private var photos = BoundedCache<IdempotencyKey, (id: String, reported: Instant)>(capacity: 4 << 20)
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

    /// Returns the photo of the earlier download with a key, or remembers this one and returns nil.
    mutating func remember(_ photo: String, for key: IdempotencyKey, now: Instant) -> String? {
        if let earlier = photos.value(for: key), now - earlier.reported < Self.keyMemory { return earlier.id }
        photos.insert((photo, now), for: key, cost: 256 + key.text.utf8.count + photo.utf8.count)
        return nil
    }
}

import PhotoFeed
import Primitives

/// The idempotency keys of downloads: a repeated POST is reported once.
struct DownloadReports: Sendable {
    private var photos = BoundedCache<String, Kept<String>>(capacity: 10_000)

    /// The time for which a key is remembered.
    private static let memory = Duration.seconds(86_400)

    enum Verdict: Equatable {
        case new
        case repeated
        /// The key belongs to a download of another photo.
        case conflict
    }

    /// Compares a download with the earlier one of the same key.
    mutating func verdict(_ key: String, photo: String, now: ContinuousClock.Instant) -> Verdict {
        guard let known = photos.value(for: key), now - known.fetched < Self.memory else { return .new }
        return known.value == photo ? .repeated : .conflict
    }

    /// Remembers the download of a photo under a key.
    mutating func note(_ key: String, photo: String, now: ContinuousClock.Instant) {
        photos.insert(Kept(value: photo, fetched: now), for: key, cost: 1)
    }
}

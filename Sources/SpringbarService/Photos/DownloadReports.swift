import PhotoFeed
import Primitives

/// Which downloads have been noted already: what makes a repeated POST one report.
struct DownloadReports: Sendable {
    private var photos = BoundedCache<String, Kept<String>>(capacity: 10_000)

    /// How long a key is remembered.
    private static let memory = Duration.seconds(86_400)

    enum Verdict: Equatable {
        case new
        case repeated
        /// The key stands for the download of another photo.
        case conflict
    }

    /// What a key says about the download of a photo.
    mutating func verdict(_ key: String, photo: String, now: ContinuousClock.Instant) -> Verdict {
        guard let known = photos.value(for: key), now - known.fetched < Self.memory else { return .new }
        return known.value == photo ? .repeated : .conflict
    }

    /// Notes the download of a photo under a key.
    mutating func note(_ key: String, photo: String, now: ContinuousClock.Instant) {
        photos.insert(Kept(value: photo, fetched: now), for: key, cost: 1)
    }
}

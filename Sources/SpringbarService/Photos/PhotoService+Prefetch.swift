import PhotoFeed
import Primitives
import Synchronization

extension PhotoService {
    /// The most batches at once; each fetches one picture at a time, so that requests of clients have priority.
    private static let batches = 4

    enum PrefetchRefusal: Error {
        /// The calls left are reserved for requests of clients; the time until the next hour.
        case budgetLow(Duration)
        case busy
    }

    /// Fetches pictures into the cache in the background.
    func prefetch(_ ids: [String], _ transform: PictureTransform) throws(PrefetchRefusal) {
        if let wait = gate.withLock({ $0.refusesBackground(now: now) }) { throw .budgetLow(wait) }
        guard prefetches.count < Self.batches else { throw .busy }
        prefetches.want(environment.random()) { [self] in
            for id in ids where !Task.isCancelled {
                // A picture that fails here is fetched by its first request, which reports the error.
                try? await prefetch(id, transform)
            }
        }
    }

    private func prefetch(_ idOrSlug: String, _ transform: PictureTransform) async throws {
        let photo: Photo
        if let known = index.withLock({ $0.photo(idOrSlug) }) {
            photo = known.value
        } else {
            photo = try await detailFlights.value(for: idOrSlug) { [self] in
                try await fetch(idOrSlug, for: .background)
            }.value.value.photo
        }
        let key = PictureKey(photo: photo.id, transform: transform)
        let hold = try join(key, photo)
        _ = try await pictureFlights.value(of: hold)
    }
}

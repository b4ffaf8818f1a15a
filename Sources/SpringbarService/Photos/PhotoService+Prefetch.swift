import PhotoFeed
import Primitives
import Synchronization

extension PhotoService {
    /// Batches that run at once; within each, one picture after the other, so that people's pictures come first.
    private static let batches = 4

    enum PrefetchRefusal: Error {
        /// The hour's calls are kept for people; the time until the next hour.
        case budgetLow(Duration)
        case busy
    }

    /// Fetches pictures that nobody waits for, into the cache.
    func prefetch(_ ids: [String], _ transform: PictureTransform) throws(PrefetchRefusal) {
        if let wait = gate.withLock({ $0.refusesBackground(now: now) }) { throw .budgetLow(wait) }
        guard prefetches.count < Self.batches else { throw .busy }
        prefetches.want(environment.random()) { [self] in
            for id in ids where !Task.isCancelled {
                // What cannot be prefetched is fetched when somebody wants it, and says then what is wrong with it.
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

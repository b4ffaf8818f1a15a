package import Primitives
import Synchronization

extension LibraryCache {
    /// Returns a photo from memory, without its details unless `isFull`; nil if it must be fetched.
    package func cachedPhoto(_ idOrSlug: String, isFull: Bool) -> Served<PhotoDetail>? {
        cached(known(idOrSlug, isFull: isFull), request(idOrSlug))
    }

    /// Fetches a photo; if that fails, returns a stale one.
    package func photo(_ idOrSlug: String, isFull: Bool) async throws -> Served<PhotoDetail> {
        try await fetched(.details, else: { known(idOrSlug, isFull: isFull) }) {
            try await fetchPhoto(idOrSlug, for: .client)
        }
    }

    /// The photo, of any age, if it has been in an answer.
    package func known(_ idOrSlug: String) -> Photo? { index.withLock { $0.photo(idOrSlug) }?.value }

    /// The number of known photos.
    package var knownCount: Int { index.withLock(\.count) }

    /// Forgets a photo after its picture was gone, unless it was fetched after a time: it may have another address by now.
    package func forget(_ photo: String, fetchedBefore time: Instant) {
        index.withLock { $0.remove(photo, fetchedBefore: time) }
    }

    /// Returns a photo of any age: its picture does not change, and its address only in the `ixid`.
    ///
    /// If another replica has had it in a list, this costs no call: a balancer that spreads the pictures of a page over
    /// replicas would cost one each.
    package func findPhoto(_ idOrSlug: String, for purpose: HourlyBudget.Purpose = .client) async throws -> Photo {
        if let known = known(idOrSlug) { return known }
        if let answer = await shared?.answer(with: idOrSlug, environment) {
            merge((try? PhotoPayload.anyPhotos(answer.value)) ?? [], fetched: answer.fetched)
            if let known = known(idOrSlug) { return known }
        }
        return try await fetchPhoto(idOrSlug, for: purpose).answer.value.photo
    }

    private func known(_ idOrSlug: String, isFull: Bool) -> Timestamped<PhotoDetail>? {
        guard isFull else {
            let photo = index.withLock { $0.photo(idOrSlug) }
            return photo.map { Timestamped(value: (photo: $0.value, document: nil), fetched: $0.fetched) }
        }
        guard let answer = kept(request(idOrSlug).target),
            let detail = try? PhotoPayload.detail(answer.value.content)
        else { return nil }
        return Timestamped(value: detail, fetched: answer.fetched)
    }

    /// The request of a photo, by its id if that is known.
    private func request(_ idOrSlug: String) -> Request {
        Request(target: Self.target(known(idOrSlug)?.id ?? idOrSlug))
    }

    private static func target(_ idOrSlug: String) -> String { "/photos/" + PercentEncoding.encode(idOrSlug) }

    private func fetchPhoto(_ idOrSlug: String, for purpose: HourlyBudget.Purpose) async throws -> Served<PhotoDetail> {
        let request = request(idOrSlug)
        do {
            let (answer, status) = try await fetch(request, for: purpose)
            let detail = try PhotoPayload.detail(answer.value.content)
            // The answer may have been kept for longer than its photo.
            merge([detail.photo], fetched: answer.fetched)
            let target = Self.target(detail.photo.id)
            if target != request.target {
                // Later requests know the id.
                keep(answer, for: target)
            }
            return (Timestamped(value: detail, fetched: answer.fetched), status)
        } catch {
            if error as? UpstreamError == .notFound { index.withLock { $0.remove(idOrSlug) } }
            throw error
        }
    }
}

/// The photos of recent answers, by id and slug, so that a photo from a list costs no call.
struct PhotoIndex: Sendable {
    private var photos: BoundedCache<String, Timestamped<Photo>>
    private var ids: BoundedCache<String, String>

    /// Creates an index of at most `capacity` bytes.
    init(capacity: Int) {
        photos = BoundedCache(capacity: capacity - capacity / 8)
        ids = BoundedCache(capacity: capacity / 8)
    }

    var count: Int { photos.count }

    var cost: Int { photos.cost + ids.cost }

    /// Inserts a photo unless there is a newer copy, as from another replica.
    mutating func merge(_ photo: Photo, fetched: Instant) {
        if let newer = photos.peek(photo.id), newer.fetched > fetched { return }
        photos.insert(Timestamped(value: photo, fetched: fetched), for: photo.id, cost: photo.cost)
        if photo.slug != photo.id { ids.insert(photo.id, for: photo.slug, cost: 128 + photo.slug.utf8.count) }
    }

    mutating func photo(_ idOrSlug: String) -> Timestamped<Photo>? {
        photos.value(for: idOrSlug) ?? ids.value(for: idOrSlug).flatMap { photos.value(for: $0) }
    }

    /// Removes a photo that the library has deleted, or only a copy that was fetched before a time.
    mutating func remove(_ idOrSlug: String, fetchedBefore time: Instant? = nil) {
        let id = ids.peek(idOrSlug) ?? idOrSlug
        if let time, let photo = photos.peek(id), photo.fetched > time { return }
        photos.remove(id)
    }
}

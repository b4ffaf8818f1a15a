import Primitives

/// The photos of recent answers, by id and slug, so that a photo from a list costs no call.
struct PhotoIndex: Sendable {
    private var photos: BoundedCache<String, Timestamped<Photo>>
    private var ids: BoundedCache<String, String>

    init(capacity: Int) {
        photos = BoundedCache(capacity: capacity)
        ids = BoundedCache(capacity: capacity)
    }

    var count: Int { photos.count }

    /// Inserts a photo unless there is a newer copy, as from another replica.
    mutating func merge(_ photo: Photo, fetched: Instant) {
        if let newer = photos.peek(photo.id), newer.fetched > fetched { return }
        photos.insert(Timestamped(value: photo, fetched: fetched), for: photo.id, cost: 1)
        if photo.slug != photo.id { ids.insert(photo.id, for: photo.slug, cost: 1) }
    }

    mutating func photo(_ idOrSlug: String) -> Timestamped<Photo>? {
        photos.value(for: idOrSlug) ?? ids.value(for: idOrSlug).flatMap { photos.value(for: $0) }
    }

    /// Removes a photo that the library has deleted.
    mutating func remove(_ idOrSlug: String) {
        photos.remove(ids.peek(idOrSlug) ?? idOrSlug)
    }
}

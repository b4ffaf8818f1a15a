import HTTPExchange
import HTTPTypes
import PhotoFeed
import Primitives
import Synchronization

/// A photo and a transform of its picture.
struct PictureKey: Hashable, Sendable {
    let photo: String
    let transform: PictureTransform
}

/// The pictures in memory, bounded by their bytes.
struct PictureCache: Sendable {
    private var cache: BoundedCache<PictureKey, CachedPicture>
    private(set) var hits = 0
    private(set) var misses = 0

    /// The bytes of an entry besides its picture: the key, the fields, the objects, the tables.
    private static let overhead = 1024
    /// The largest picture, as a share of the capacity.
    private static let largestShare = 0.1

    init(capacity: Int) {
        cache = BoundedCache(capacity: capacity, largestShare: Self.largestShare)
    }

    /// The picture, counted as a hit or a miss.
    mutating func picture(_ key: PictureKey) -> CachedPicture? {
        let picture = cache.value(for: key)
        if picture == nil { misses += 1 } else { hits += 1 }
        return picture
    }

    /// The picture, not counted.
    func peek(_ key: PictureKey) -> CachedPicture? { cache.peek(key) }

    mutating func insert(_ picture: CachedPicture, for key: PictureKey) {
        let cost = picture.picture.bytes.count + key.photo.utf8.count + Self.overhead
        guard cost <= cache.largestEntry else { return cache.remove(key) }
        cache.insert(picture, for: key, cost: cost)
    }

    mutating func remove(_ key: PictureKey) {
        cache.remove(key)
    }

    var entries: Int { cache.count }
    var bytes: Int { cache.cost }
}

/// A picture with the fields of its answer, which are written once for each second of its age.
final class CachedPicture: Sendable {
    let picture: Picture
    private let fields: Lock<(age: Int, fields: Fields)>

    init(_ picture: Picture) {
        self.picture = picture
        fields = Lock((0, Self.fields(picture, status: .hit(ttl: Freshness.pictures), age: 0)))
    }

    /// The answer from the cache.
    func hit(now: Instant) -> Response {
        let age = max(0, Int((now - picture.fetched).components.seconds))
        let fields = self.fields.withLock { current in
            if current.age != age {
                let ttl = Freshness.pictures - .seconds(age)
                current = (age, Self.fields(picture, status: .hit(ttl: ttl), age: age))
            }
            return current.fields
        }
        return Response(fields: fields, content: content)
    }

    /// The answer after a fetch.
    func response(_ status: CacheStatus) -> Response {
        Response(fields: Self.fields(picture, status: status, age: nil), content: content)
    }

    /// The answer while the picture arrives: without a tag, which depends on the last byte, and without ranges.
    static func response(streaming stream: PictureStream, _ type: PictureType, _ status: CacheStatus) -> Response {
        Response(
            fields: [
                .contentType: type.mediaType, .cacheControl: CacheControl.picture, .cacheStatus: status.text,
                .xContentTypeOptions: "nosniff",
            ],
            content: .stream(stream)
        )
    }

    private var content: Content { .shared(picture.bytes) }

    private static func fields(_ picture: Picture, status: CacheStatus, age: Int?) -> Fields {
        var fields: Fields = [
            .contentType: picture.type.mediaType,
            .eTag: picture.entityTag,
            .cacheControl: CacheControl.picture,
            .acceptRanges: "bytes",
            .cacheStatus: status.text,
            .xContentTypeOptions: "nosniff",
        ]
        if let age { fields.append(.age, "\(age)") }
        return fields
    }
}

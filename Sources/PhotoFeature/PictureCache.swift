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

    init(capacity: Int) {
        cache = BoundedCache(capacity: capacity, largestShare: 0.1)
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
        cache.insert(picture, for: key, cost: picture.bytes.count + key.photo.utf8.count + Self.overhead)
    }

    mutating func remove(_ key: PictureKey) {
        cache.remove(key)
    }

    var entries: Int { cache.count }
    var bytes: Int { cache.cost }
}

/// A picture with the fields of its answer, which are written once for each second of its age.
final class CachedPicture: Sendable {
    let bytes: SharedBytes
    let type: PictureType
    /// The time of the last byte.
    let fetched: Instant
    private let entityTag: EntityTag
    /// The fields of the last hit, for its age in seconds.
    private let lastHit = Lock<(age: Int, fields: Fields)?>(nil)

    init(_ bytes: SharedBytes, _ type: PictureType, fetched: Instant) {
        self.bytes = bytes
        self.type = type
        self.fetched = fetched
        var hash = SipHash()
        bytes.withBytes { hash.combine($0) }
        let digits = String(hash.finalized(), radix: 16)
        entityTag = EntityTag(strong: String(repeating: "0", count: 16 - digits.count) + digits)
    }

    /// The answer from the cache.
    func hit(now: Instant) -> Response {
        let age = max(0, Int((now - fetched).components.seconds))
        let fields = lastHit.withLock { hit -> Fields in
            if let hit, hit.age == age { return hit.fields }
            var fields = self.fields(.hit(ttl: Freshness.pictures - .seconds(age)))
            fields.append(.age, "\(age)")
            hit = (age, fields)
            return fields
        }
        return Response(fields: fields, content: .shared(bytes))
    }

    /// The answer after a fetch.
    func response(_ status: CacheStatus) -> Response {
        Response(fields: fields(status), content: .shared(bytes))
    }

    /// The answer while the picture arrives: without a tag, which depends on the last byte, and without ranges.
    static func response(streaming stream: PictureStream, _ type: PictureType, _ status: CacheStatus) -> Response {
        Response(
            fields: [
                .contentType: type.rawValue, .cacheControl: Freshness.pictureControl, .cacheStatus: status.text,
                .xContentTypeOptions: "nosniff",
            ],
            content: .stream(stream)
        )
    }

    private func fields(_ status: CacheStatus) -> Fields {
        [
            .contentType: type.rawValue,
            .eTag: entityTag.description,
            .cacheControl: Freshness.pictureControl,
            .acceptRanges: "bytes",
            .cacheStatus: status.text,
            .xContentTypeOptions: "nosniff",
        ]
    }
}

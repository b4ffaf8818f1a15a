import HTTPExchange
import PhotoLibrary
import Primitives
import Synchronization

struct PictureKey: Hashable, Sendable {
    let photo: String
    let transform: PictureTransform
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
        let digits = String(bytes.withBytes { SipHash.hash($0) }, radix: 16)
        entityTag = EntityTag(strong: String(repeating: "0", count: 16 - digits.count) + digits)
    }

    /// The bytes in the cache: the picture, the name in the key, the fields, the objects, the tables.
    static func cost(of bytes: Int, for key: PictureKey) -> Int { bytes + key.photo.utf8.count + 1024 }

    func hit(now: Instant) -> Response {
        let age = max(0, Int((now - fetched).components.seconds))
        let fields = lastHit.withLock { hit -> Fields in
            if let hit, hit.age == age { return hit.fields }
            var fields = self.fields(.hit, age: age)
            fields.append(.age, "\(age)")
            hit = (age, fields)
            return fields
        }
        return Response(fields: fields, content: .shared(bytes))
    }

    /// The answer after a fetch.
    func response(_ status: CacheStatus) -> Response { Response(fields: fields(status), content: .shared(bytes)) }

    /// The answer after a fetch that failed; no other cache adds to its age.
    func stale(_ error: UpstreamError, now: Instant) -> Response {
        var response = response(.stale(error))
        response.fields[.cacheControl] = "no-cache"
        response.fields[.age] = "\((now - fetched).components.seconds)"
        return response
    }

    /// The answer while the picture arrives: without a tag, which depends on the last byte, and without ranges.
    static func response(streaming stream: PictureStream, _ type: PictureType, _ status: CacheStatus) -> Response {
        Response(
            fields: [
                .contentType: type.rawValue, .cacheControl: Freshness.pictureControl,
                .cacheStatus: status.text(ttl: .zero), .xContentTypeOptions: "nosniff",
                .crossOriginResourcePolicy: "cross-origin",
            ],
            content: .stream(stream)
        )
    }

    private func fields(_ status: CacheStatus, age: Int = 0) -> Fields {
        [
            .contentType: type.rawValue, .eTag: entityTag.description, .cacheControl: Freshness.pictureControl,
            .acceptRanges: "bytes", .cacheStatus: status.text(ttl: Freshness.pictures - .seconds(age)),
            .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "cross-origin",
        ]
    }
}

/// The content of an answer with a picture that is still arriving.
///
/// An open stream holds the fetch, which is cancelled after the last one has closed, and the memory of the picture.
final class PictureStream: ContentStream {
    let length: Int?
    private let download: PictureDownload
    private let lease: Lock<MemoryLease?>
    private let offset = Lock(0)
    private let onClose: @Sendable () -> Void

    init(_ download: PictureDownload, lease: MemoryLease, length: Int, onClose: @escaping @Sendable () -> Void) {
        self.download = download
        self.lease = Lock(lease)
        self.length = length
        self.onClose = onClose
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> StreamRead {
        // The server reads a stream on one thread at a time; the lock makes the offset visible to the next.
        let start = offset.withLock { $0 }
        do throws(UpstreamError) {
            guard let count = try download.copy(from: start, into: buffer, wake: wake) else { return .pending }
            offset.withLock { $0 = start + count }
            return count == 0 ? .finished : .copied(count)
        } catch {
            return .failed
        }
    }

    /// Does nothing: the picture may still arrive; at the deadline of the drain the connection is closed before the end.
    func drain() {}

    func close() {
        lease.withLock { $0 = nil }
        onClose()
    }
}

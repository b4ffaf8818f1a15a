import HTTPExchange
import PhotoFeed
import Primitives
import Synchronization

extension PhotoService {
    typealias PictureFlights = Flights<PictureKey, PictureDownload, KeptPicture>

    /// The cached picture as an answer; nil when it has to be fetched.
    func readingPicture(_ key: PictureKey) -> Response? {
        guard let kept = pictures.withLock({ $0.picture(key) }) else { return nil }
        let now = now
        return isFresh(kept, now) ? kept.hit(now: now) : nil
    }

    /// The picture, fetched once for everybody who asks meanwhile; an old one when that fails.
    ///
    /// With `canStream`, the answer begins as soon as the picture's head has passed.
    func picture(_ key: PictureKey, canStream: Bool) async throws -> Response {
        let photo = try await knownPhoto(key.photo)
        // A slug is another name of the same picture.
        let key = PictureKey(photo: photo.id, transform: key.transform)
        let old = pictures.withLock { $0.peek(key) }
        let now = now
        if let old, isFresh(old, now) { return old.hit(now: now) }
        let hold = try join(key, photo)
        if canStream, let response = try await stream(hold) { return response }
        do {
            return try await pictureFlights.value(of: hold).response(.miss(isCollapsed: hold.isCollapsed))
        } catch let error as UpstreamError where error.allowsStale {
            guard let old else { throw error }
            return old.response(.stale(error))
        }
    }

    /// A place among those who wait for a picture.
    func join(_ key: PictureKey, _ photo: Photo) throws(CancellationError) -> PictureFlights.Hold {
        let url = key.transform.url(fromRaw: photo.hotlinks.raw)
        return try pictureFlights.join(key, PictureDownload(memory: pictureMemory)) { [self] in
            try await fetch(key, at: url, into: $0)
        }
    }

    /// An answer that follows the download; nil when it has to be waited for, because it has ended already or its
    /// length is unknown.
    private func stream(_ hold: PictureFlights.Hold) async throws(CancellationError) -> Response? {
        guard let stage = await hold.progress.stage() else {
            pictureFlights.release(hold)
            throw CancellationError()
        }
        guard case .arriving(let head) = stage, let length = head.length else { return nil }
        let stream = PictureStream(hold.progress, length: length) { [pictureFlights] in pictureFlights.release(hold) }
        return KeptPicture.response(streaming: stream, head.header.type, .miss(isCollapsed: hold.isCollapsed))
    }

    /// The library's own address of the picture, for clients that fetch it themselves.
    func pictureURL(_ key: PictureKey) async throws -> String {
        key.transform.url(fromRaw: try await knownPhoto(key.photo).hotlinks.raw)
    }

    /// The same for a photo that is known already.
    func readingPictureURL(_ key: PictureKey) -> String? {
        index.withLock { $0.photo(key.photo) }.map { key.transform.url(fromRaw: $0.value.hotlinks.raw) }
    }

    /// Whether any answer has shown this photo.
    package func knows(_ idOrSlug: String) -> Bool {
        index.withLock { $0.photo(idOrSlug) } != nil
    }

    /// The id behind an id or slug; the text itself when the photo is not known.
    func id(of idOrSlug: String) -> String {
        index.withLock { $0.photo(idOrSlug) }?.value.id ?? idOrSlug
    }

    /// The photo as it is known, however long ago: its picture does not change, and its address only in the `ixid`.
    func knownPhoto(_ idOrSlug: String) async throws -> Photo {
        if let known = index.withLock({ $0.photo(idOrSlug) }) { return known.value }
        return try await photo(idOrSlug, isFull: false).photo
    }

    private func isFresh(_ kept: KeptPicture, _ now: ContinuousClock.Instant) -> Bool {
        Freshness.pictures.state(age: now - kept.picture.fetched) == .fresh
    }

    /// Pictures cost no call of the API, so neither the budget nor the breaker is asked.
    private func fetch(
        _ key: PictureKey,
        at url: String,
        into download: PictureDownload
    ) async throws(UpstreamError) -> KeptPicture {
        if let kept = pictures.withLock({ $0.peek(key) }), isFresh(kept, now) {
            // Between looking and joining, another fetch of it has ended: nothing will arrive here.
            _ = try? download.end(.cancelled, now: now)
            return kept
        }
        let known = failures.withLock { $0.failure(of: .picture(key), now: now) }
        var error = known
        if known == nil {
            do {
                try download.reserve()
                try await upstream.picture(at: url, into: download)
            } catch let failure {
                error = failure
            }
        }
        do {
            let kept = KeptPicture(try download.end(error, now: now))
            pictures.withLock { $0.insert(kept, for: key) }
            return kept
        } catch {
            if known == nil { remember(error, of: .picture(key)) }
            if error == .notFound { pictures.withLock { $0.remove(key) } }
            throw error
        }
    }
}

import HTTPExchange
import PhotoFeed
import Synchronization

extension PhotoService {
    /// The cached picture as an answer; nil when it has to be fetched.
    func readingPicture(_ key: PictureKey) -> Response? {
        guard let kept = pictures.withLock({ $0.picture(key) }) else { return nil }
        let now = now
        return isFresh(kept, now) ? kept.hit(now: now) : nil
    }

    /// The picture, fetched once for everybody who asks meanwhile; an old one when that fails.
    func picture(_ key: PictureKey) async throws -> Response {
        let photo = try await knownPhoto(key.photo)
        // A slug is another name of the same picture.
        let key = PictureKey(photo: photo.id, transform: key.transform)
        let old = pictures.withLock { $0.peek(key) }
        let now = now
        if let old, isFresh(old, now) { return old.hit(now: now) }
        let url = key.transform.url(fromRaw: photo.hotlinks.raw)
        do {
            let outcome = try await pictureFlights.value(for: key) { [self] in try await fetch(key, at: url) }
            return outcome.value.response(.miss(isCollapsed: outcome.collapsed))
        } catch let error as UpstreamError where error.allowsStale {
            guard let old else { throw error }
            return old.response(.stale(error))
        }
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

    /// The photo as it is known, however long ago: its picture does not change, and its address only in the `ixid`.
    private func knownPhoto(_ idOrSlug: String) async throws -> Photo {
        if let known = index.withLock({ $0.photo(idOrSlug) }) { return known.value }
        return try await photo(idOrSlug, isFull: false).photo
    }

    private func isFresh(_ kept: KeptPicture, _ now: ContinuousClock.Instant) -> Bool {
        Freshness.pictures.state(age: now - kept.picture.fetched) == .fresh
    }

    /// Pictures cost no call of the API, so neither the budget nor the breaker is asked.
    private func fetch(_ key: PictureKey, at url: String) async throws(UpstreamError) -> KeptPicture {
        if let failure = failures.withLock({ $0.failure(of: .picture(key), now: now) }) { throw failure }
        let download = PictureDownload()
        do {
            try await upstream.picture(at: url, into: download)
            let kept = KeptPicture(try download.finish(now: now))
            pictures.withLock { $0.insert(kept, for: key) }
            return kept
        } catch {
            remember(error, of: .picture(key))
            if error == .notFound { pictures.withLock { $0.remove(key) } }
            throw error
        }
    }
}

import HTTPExchange
import PhotoLibrary
import Primitives
import Synchronization

extension PhotoService {
    typealias PictureFlights = Flights<PictureKey, PictureDownload, CachedPicture>

    /// The cached picture as an answer; nil if it has to be fetched.
    func cachedPicture(_ key: PictureKey) -> Response? {
        // Pictures are cached under the photo's id, and a slug is another name of it.
        hit(key) ?? answers.known(key.photo).flatMap { hit(PictureKey(photo: $0.id, transform: key.transform)) }
    }

    private func hit(_ key: PictureKey) -> Response? {
        let now = now
        guard let picture = cached(key, now: now) else { return nil }
        pictureHits.add(1, ordering: .relaxed)
        return picture.hit(now: now)
    }

    /// Returns the picture, fetched once for all requests; if that fails, an old one.
    ///
    /// With `canStream`, the answer begins after the check of the header, unless there is an old picture to serve if the rest
    /// fails. `account` pays for the picture while it arrives.
    func picture(_ key: PictureKey, canStream: Bool, account: MemoryAccount) async throws -> Response {
        let photo = try await answers.findPhoto(key.photo)
        let key = PictureKey(photo: photo.id, transform: key.transform)
        // The index does not have every name of a photo, such as its slugs in other languages.
        if let hit = hit(key) { return hit }
        pictureMisses.add(1, ordering: .relaxed)
        try LibraryCache.requireFetch()
        let waiter = try join(key, photo, account)
        let isOnlyCopy = pictures.withLock { $0.peek(key) } == nil
        if canStream, isOnlyCopy, let response = try await stream(waiter, key, account) { return response }
        do {
            do {
                return try await response(of: waiter, key)
            } catch UpstreamError.overloaded where waiter.isCollapsed {
                // The client that had started the fetch has no memory left.
                return try await response(of: join(key, photo, account), key)
            }
        } catch let error as UpstreamError where error.allowsStale {
            guard let old = pictures.withLock({ $0.peek(key) }) else { throw error }
            return old.stale(error, now: now)
        }
    }

    private func response(of waiter: PictureFlights.Waiter, _ key: PictureKey) async throws -> Response {
        let picture = try await pictureFlights.value(of: waiter)
        return picture.response(status(of: waiter, key, bytes: picture.bytes.count))
    }

    private func status(of waiter: PictureFlights.Waiter, _ key: PictureKey, bytes: Int) -> CacheStatus {
        let cost = CachedPicture.cost(of: bytes, for: key)
        return .miss(isCollapsed: waiter.isCollapsed, isStored: pictures.withLock { cost <= $0.largestEntry })
    }

    /// Joins the fetch of a picture, or starts one, for which `account` pays and which is of its client's share.
    func join(
        _ key: PictureKey,
        _ photo: Photo,
        _ account: MemoryAccount
    ) throws(CancellationError) -> PictureFlights.Waiter {
        let url = key.transform.url(fromRaw: photo.hotlinks.raw)
        return try pictureFlights.join(key, PictureDownload(account: account)) { [self] in
            try await fetch(key, at: url, into: $0, for: account.client)
        }
    }

    /// Returns an answer that follows the download; nil if it has ended, its length is unknown, or the client has left.
    private func stream(
        _ waiter: PictureFlights.Waiter,
        _ key: PictureKey,
        _ account: MemoryAccount
    ) async throws -> Response? {
        guard let (type, length) = await waiter.progress.head() else { return nil }
        guard let lease = waiter.progress.reservation.lease(for: account) else {
            pictureFlights.release(waiter)
            throw Refusal.overloaded
        }
        let stream = PictureStream(waiter.progress, lease: lease, length: length) { [pictureFlights] in
            pictureFlights.release(waiter)
        }
        return CachedPicture.response(streaming: stream, type, status(of: waiter, key, bytes: length))
    }

    /// The cached picture while it is fresh.
    private func cached(_ key: PictureKey, now: Instant) -> CachedPicture? {
        guard let cached = pictures.withLock({ $0.value(for: key) }), now - cached.fetched < Freshness.pictures
        else { return nil }
        return cached
    }

    /// Fetches a picture, which does not count against the budget of the API nor for its breaker.
    private func fetch(
        _ key: PictureKey,
        at url: String,
        into download: PictureDownload,
        for client: ClientKey?
    ) async throws(UpstreamError) -> CachedPicture {
        // Between the look into the cache and the start of this fetch, another one may have ended.
        if let cached = cached(key, now: now) {
            _ = try? download.end(.cancelled)
            return cached
        }
        let isInShare = pictureShares.reserve(client)
        defer { if isInShare { pictureShares.release(client) } }
        let remembered = failures.withLock { $0.failure(of: key, now: now) }
        var error = remembered
        if remembered == nil {
            do throws(UpstreamError) {
                guard isInShare else { throw .overloaded }
                try download.reserve()
                try await library.picture(at: url, into: download)
            } catch let failure {
                error = failure
            }
        }
        do {
            let (bytes, header) = try download.end(error)
            let picture = CachedPicture(bytes, header.type, fetched: now)
            pictures.withLock { _ = $0.insert(picture, for: key, cost: CachedPicture.cost(of: bytes.count, for: key)) }
            return picture
        } catch {
            if remembered == nil {
                failures.withLock { $0.record(error, of: key, random: environment.random(), now: now) }
            }
            if error == .notFound {
                pictures.withLock { $0.remove(key) }
                // The photo may have another address by now. A picture that stays away costs one call an hour.
                answers.forget(key.photo, fetchedBefore: now - Freshness.details.fresh)
            }
            throw error
        }
    }
}

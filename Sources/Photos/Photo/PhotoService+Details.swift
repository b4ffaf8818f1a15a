import HTTPExchange
import Primitives
import Synchronization

extension PhotoService {
    /// Returns a photo from the cache, without its details unless `isFull`; nil if it must be fetched.
    func cachedPhoto(_ idOrSlug: String, isFull: Bool) -> Served<PhotoDetail>? {
        cached(known(idOrSlug, isFull: isFull), .details) {
            detailFlights.want(idOrSlug) { [self] in try await fetch(idOrSlug, for: .background) }
        }
    }

    /// Fetches a photo; if that fails, returns a stale one.
    func photo(_ idOrSlug: String, isFull: Bool) async throws -> Served<PhotoDetail> {
        try await fetched(.details, else: { known(idOrSlug, isFull: isFull) }) {
            try await detailFlights.value(for: idOrSlug) { [self] in try await fetch(idOrSlug, for: .client) }
        }
    }

    private func known(_ idOrSlug: String, isFull: Bool) -> Timestamped<PhotoDetail>? {
        index.withLock { isFull ? $0.detail(idOrSlug) : $0.photo(idOrSlug)?.map(PhotoDetail.init) }
    }

    func fetch(
        _ id: String,
        for purpose: HourlyBudget.Purpose
    ) async throws(UpstreamError) -> Timestamped<PhotoDetail> {
        // Between the look into the cache and the start of this fetch, another one may have ended.
        let old = index.withLock { $0.detail(id) }
        if let old, Freshness.details.state(age: now - old.fetched) == .fresh { return old }
        do {
            let target = "/photos/" + PercentEncoding.encode(id)
            let kept = try await obtain(.detail(id), .photo(id), target, for: purpose) {
                record -> Timestamped<PhotoDetail>? in
                guard case .detail(let detail) = record, [detail.value.photo.id, detail.value.photo.slug].contains(id),
                    Freshness.details.state(age: now - detail.fetched) == .fresh
                else { return nil }
                return detail
            } read: { answer throws(UpstreamError) in
                Timestamped(value: try PhotoPayload.detail(answer.content), fetched: now)
            } entry: { detail in
                await shared?.putPlaces(of: [detail.value.photo], in: .detail(id))
                return (.detail(detail), Freshness.details.fresh)
            }
            index.withLock { $0.merge(kept.value, fetched: kept.fetched) }
            return kept
        } catch {
            if error == .notFound { index.withLock { $0.remove(id) } }
            throw error
        }
    }

    typealias Served<Value> = (value: Value, fetched: Instant, status: CacheStatus)

    /// Returns a cached value while it is fresh, or while it is stale and `refresh` fetches it in the background.
    func cached<Value>(_ known: Timestamped<Value>?, _ freshness: Freshness, refresh: () -> Void) -> Served<Value>? {
        guard let known else { return nil }
        switch freshness.state(age: now - known.fetched) {
        case .fresh: break
        case .stale: if Self.mayFetch { refresh() }
        case .onlyIfError, .expired: return nil
        }
        return (known.value, known.fetched, .hit)
    }

    /// Returns a value from a fetch; if that fails, the cached one unless it has expired.
    func fetched<Value>(
        _ freshness: Freshness,
        else known: () -> Timestamped<Value>?,
        fetch: () async throws -> (value: Timestamped<Value>, isCollapsed: Bool)
    ) async throws -> Served<Value> {
        try Self.requireFetch()
        do {
            let (new, isCollapsed) = try await fetch()
            return (new.value, new.fetched, .miss(isCollapsed: isCollapsed))
        } catch let error as UpstreamError where error.allowsStale {
            guard let old = known(), freshness.state(age: now - old.fetched) != .expired else { throw error }
            return (old.value, old.fetched, .stale(error))
        }
    }

    /// The answer with a document that was fetched some time ago; `hasLinks` if its links are absolute.
    func response(
        _ json: [UInt8],
        _ status: CacheStatus,
        fetched: Instant,
        _ freshness: Freshness,
        hasLinks: Bool
    ) -> Response {
        let age = max(.zero, now - fetched)
        let linksFollowHost = hasLinks && configuration.publicURL == nil
        return .json(
            json,
            fields: [
                .eTag: EntityTag(hashing: json).description,
                .cacheControl: freshness.cacheControl(age: age, linksFollowHost: linksFollowHost),
                .age: "\(age.components.seconds)", .cacheStatus: status.text(ttl: freshness.fresh - age),
            ]
        )
    }
}

package import PhotoFeed
package import Primitives
import Synchronization

extension PhotoService {
    /// A photo and its cache status.
    package struct PhotoAnswer: Sendable {
        package let photo: Photo
        /// Nil if only the members of lists were requested.
        package let detail: PhotoDetail?
        package let fetched: Instant
        package let status: CacheStatus
    }

    /// Returns a photo from the cache; nil if it must be fetched.
    package func cachedPhoto(_ idOrSlug: String, isFull: Bool) -> PhotoAnswer? {
        let (known, detail) = index.withLock { ($0.photo(idOrSlug), $0.detail(idOrSlug)) }
        if isFull {
            return detail.flatMap { served($0.value.photo, $0.value, named: idOrSlug, fetched: $0.fetched) }
        }
        return known.flatMap { served($0.value, nil, named: idOrSlug, fetched: $0.fetched) }
    }

    /// Fetches a photo; if that fails, returns a stale one.
    package func photo(_ idOrSlug: String, isFull: Bool) async throws -> PhotoAnswer {
        do {
            let outcome = try await detailFlights.value(for: idOrSlug) { [self] in
                try await fetch(idOrSlug, for: .client)
            }
            let kept = outcome.value
            return PhotoAnswer(
                photo: kept.value.photo,
                detail: isFull ? kept.value : nil,
                fetched: kept.fetched,
                status: .miss(isCollapsed: outcome.isCollapsed)
            )
        } catch let error as UpstreamError where error.allowsStale {
            let (known, detail) = index.withLock { ($0.photo(idOrSlug), $0.detail(idOrSlug)) }
            if isFull {
                guard let detail, isServable(detail.fetched) else { throw error }
                return PhotoAnswer(
                    photo: detail.value.photo,
                    detail: detail.value,
                    fetched: detail.fetched,
                    status: .stale(error)
                )
            }
            guard let known, isServable(known.fetched) else { throw error }
            return PhotoAnswer(photo: known.value, detail: nil, fetched: known.fetched, status: .stale(error))
        }
    }

    /// Fetches the details of a photo.
    func fetch(
        _ idOrSlug: String,
        for purpose: HourlyBudget.Purpose
    ) async throws(UpstreamError) -> Timestamped<PhotoDetail> {
        // Between the look into the cache and the start of this fetch, another one may have ended.
        let old = index.withLock { $0.detail(idOrSlug) }
        if let old, Freshness.details.state(age: now - old.fetched) == .fresh { return old }
        do {
            let kept = try await obtain(.detail(idOrSlug), unless: .photo(idOrSlug)) {
                record,
                _ -> Timestamped<PhotoDetail>? in
                guard case .detail(let detail) = record, detail.isOf(idOrSlug),
                    Freshness.details.state(age: now - detail.fetched) == .fresh
                else { return nil }
                return detail
            } fetch: { () throws(UpstreamError) in
                let detail = try await call(.photo(idOrSlug), for: purpose) { () async throws(UpstreamError) in
                    try await upstream.photo(idOrSlug)
                }
                return Timestamped(value: detail, fetched: now)
            } entry: { detail, shared in
                await shared.putPlaces(of: [detail.value.photo], in: .detail(idOrSlug))
                return shared.entry(.detail(detail), Freshness.details.fresh, now: now)
            }
            index.withLock { $0.merge(kept.value, fetched: kept.fetched) }
            return kept
        } catch {
            if error == .notFound { index.withLock { $0.remove(idOrSlug) } }
            throw error
        }
    }

    private func served(
        _ photo: Photo,
        _ detail: PhotoDetail?,
        named idOrSlug: String,
        fetched: Instant
    ) -> PhotoAnswer? {
        let now = now
        switch Freshness.details.state(age: now - fetched) {
        case .fresh: break
        case .stale: detailFlights.want(idOrSlug) { [self] in try await fetch(idOrSlug, for: .background) }
        case .onlyIfError, .expired: return nil
        }
        let ttl = Freshness.details.fresh - (now - fetched)
        return PhotoAnswer(photo: photo, detail: detail, fetched: fetched, status: .hit(ttl: ttl))
    }

    private func isServable(_ fetched: Instant) -> Bool {
        Freshness.details.state(age: now - fetched) != .expired
    }
}

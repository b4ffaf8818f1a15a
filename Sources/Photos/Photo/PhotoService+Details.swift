import HTTPExchange
import Primitives
import Synchronization

extension PhotoService {
    /// Returns a photo from memory, without its details unless `isFull`; nil if it must be fetched.
    func cachedPhoto(_ idOrSlug: String, isFull: Bool) -> LibraryCache.Served<PhotoDetail>? {
        answers.cached(known(idOrSlug, isFull: isFull), request(idOrSlug))
    }

    /// Fetches a photo; if that fails, returns a stale one.
    func photo(_ idOrSlug: String, isFull: Bool) async throws -> LibraryCache.Served<PhotoDetail> {
        try await answers.fetched(.details, else: { known(idOrSlug, isFull: isFull) }) {
            try await fetchPhoto(idOrSlug, for: .client)
        }
    }

    private func known(_ idOrSlug: String, isFull: Bool) -> Timestamped<PhotoDetail>? {
        guard isFull else {
            let photo = answers.index.withLock { $0.photo(idOrSlug) }
            return photo.map { Timestamped(value: (photo: $0.value, document: nil), fetched: $0.fetched) }
        }
        guard let answer = answers.kept(request(idOrSlug).target),
            let detail = try? PhotoPayload.detail(answer.value.content)
        else { return nil }
        return Timestamped(value: detail, fetched: answer.fetched)
    }

    /// The request of a photo, by its id if that is known.
    private func request(_ idOrSlug: String) -> LibraryCache.Request {
        let target = Self.target(known(idOrSlug)?.id ?? idOrSlug)
        return LibraryCache.Request(target: target, freshness: .details) { answer throws(UpstreamError) in
            [try PhotoPayload.detail(answer.content).photo]
        }
    }

    private static func target(_ idOrSlug: String) -> String { "/photos/" + PercentEncoding.encode(idOrSlug) }

    func fetchPhoto(
        _ idOrSlug: String,
        for purpose: HourlyBudget.Purpose
    ) async throws -> LibraryCache.Served<PhotoDetail> {
        let request = request(idOrSlug)
        do {
            let (answer, status) = try await answers.fetch(request, for: purpose)
            let detail = try PhotoPayload.detail(answer.value.content)
            // The answer may have been kept for longer than its photo.
            answers.merge([detail.photo], fetched: answer.fetched)
            let target = Self.target(detail.photo.id)
            if target != request.target {
                // Later requests know the id.
                answers.keep(answer, for: target)
            }
            return (Timestamped(value: detail, fetched: answer.fetched), status)
        } catch {
            if error as? UpstreamError == .notFound { answers.index.withLock { $0.remove(idOrSlug) } }
            throw error
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

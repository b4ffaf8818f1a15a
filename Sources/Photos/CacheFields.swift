import HTTPExchange
import PhotoLibrary
import Primitives

extension Freshness {
    /// The value of Cache-Control at an age (RFC 9111, section 5.2; RFC 5861).
    ///
    /// If the links follow from the Host of the request, the answer is private: a shared cache would send the links that
    /// one client has chosen to all others.
    func cacheControl(age: Duration, linksFollowHost: Bool) -> String {
        let scope = linksFollowHost ? "private" : "public"
        // So that no other cache adds to the age of a stale answer.
        guard age < fresh else { return linksFollowHost ? "private, no-cache" : "no-cache" }
        let (fresh, stale, error) = (fresh.components.seconds, staleWhileRevalidate.components, staleIfError.components)
        return "\(scope), max-age=\(fresh), stale-while-revalidate=\(stale.seconds - fresh), "
            + "stale-if-error=\(error.seconds - fresh)"
    }

    /// Pictures never change under their id, so if the library fails, any age is served.
    static let pictures = Duration.seconds(604_800)

    static let pictureControl = "public, max-age=\(pictures.components.seconds)"
}

extension CacheStatus {
    /// The value of Cache-Status (RFC 9211); `ttl` is the time for which a hit is fresh, negative if it is stale since.
    func text(ttl: Duration) -> String {
        switch self {
        case .hit: "photos; hit; ttl=\(ttl.components.seconds)"
        case .miss(isCollapsed: true, _): "photos; fwd=miss; collapsed"
        case .miss(_, isStored: true): "photos; fwd=miss; stored"
        case .miss: "photos; fwd=miss"
        case .stale(let error): "photos; fwd=stale; \(error.parameters)"
        }
    }
}

extension UpstreamError {
    /// The status of the library, if it is known, and the code of its problem without the prefix.
    fileprivate var parameters: String {
        let status: Int? =
            switch self {
            case .rateLimited: 403
            case .credentials: 401
            case .refused(let status, _), .failed(.status(let status, _)): status
            default: nil
            }
        let detail = "detail=" + Problem(self).code.replacing("upstream-", with: "")
        return status.map { "fwd-status=\($0); \(detail)" } ?? detail
    }
}

extension PhotoService {
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

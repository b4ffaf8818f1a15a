import Foundation

/// Kept responses of GET requests, up to a number of bytes, by the rules of RFC 9111.
///
/// A fresh response needs no request. A stale one is revalidated with its ETag, and may be used for a while when the
/// service does not respond.
struct ResponseCache {
    /// A response and the times of its freshness, in seconds of the same clock.
    final class Entry {
        let response: ServiceResponse
        private(set) var freshUntil = 0.0
        private(set) var usableUntil = 0.0

        init(_ response: ServiceResponse, now: Double) {
            self.response = response
            renew(with: response.fields, now: now)
        }

        /// Makes the response fresh by its own fields, or by those of a 304.
        func renew(with fields: [String: String], now: Double) {
            let control = CacheControl(fields["cache-control"] ?? response.fields["cache-control"])
            freshUntil = now + max(0, control.maxAge - (fields["age"].flatMap(Double.init) ?? 0))
            usableUntil = freshUntil + control.staleIfError
        }
    }

    private let entries = NSCache<NSString, Entry>()

    init(byteLimit: Int) {
        entries.totalCostLimit = byteLimit
    }

    func entry(for target: String) -> Entry? { entries.object(forKey: NSString(string: target)) }

    func store(_ response: ServiceResponse, for target: String, now: Double) {
        let control = CacheControl(response.fields["cache-control"])
        let isUseful = response.fields["etag"] != nil || control.maxAge > 0
        guard response.status == 200, !control.isForbidden, isUseful else {
            return entries.removeObject(forKey: NSString(string: target))
        }
        let cost = response.content.count
        entries.setObject(Entry(response, now: now), forKey: NSString(string: target), cost: cost)
    }
}

/// The directives of a `Cache-Control` field that matter to this client.
private struct CacheControl {
    var isForbidden = false
    var maxAge = 0.0
    var staleIfError = 0.0

    init(_ text: String?) {
        for directive in (text ?? "").split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " }.lowercased() }
            let seconds = parts.count == 2 ? Double(parts[1]) ?? 0 : 0
            switch parts.first {
            case "no-store": isForbidden = true
            case "no-cache": maxAge = 0
            case "max-age": maxAge = seconds
            case "stale-if-error": staleIfError = seconds
            default: break
            }
        }
    }
}

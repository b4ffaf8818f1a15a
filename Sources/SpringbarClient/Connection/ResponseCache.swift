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

private struct CacheControl {
    let isForbidden: Bool
    let maxAge: Double
    let staleIfError: Double

    init(_ text: String?) {
        var directives: [String: Double] = [:]
        for directive in (text ?? "").lowercased().filter({ $0 != " " }).split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1)
            guard let name = parts.first else { continue }
            directives[String(name)] = parts.count == 2 ? Double(parts[1]) ?? 0 : 0
        }
        isForbidden = directives["no-store"] != nil
        maxAge = directives["no-cache"] == nil ? directives["max-age"] ?? 0 : 0
        staleIfError = directives["stale-if-error"] ?? 0
    }
}

// The responses that are kept, by the rules of RFC 9111: a fresh one needs no request, a stale one is revalidated with
// its ETag, and it may be used for a while when the service does not respond.

/// Kept responses of GET requests, up to a number of bytes; the least recently used ones are dropped first.
struct ResponseCache: Sendable {
    /// A response and the times of its freshness, in seconds of the same clock.
    struct Entry: Sendable {
        let response: ServiceResponse
        let etag: String?
        private(set) var freshUntil = 0.0
        private(set) var usableUntil = 0.0
        fileprivate var used: Int

        fileprivate mutating func renew(_ control: CacheControl, age: String?, now: Double) {
            freshUntil = now + max(0, control.maxAge - (age.flatMap(Double.init) ?? 0))
            usableUntil = freshUntil + control.staleIfError
        }
    }

    private var entries: [String: Entry] = [:]
    private var byteCount = 0
    private var uses = 0
    private let byteLimit: Int

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// Returns the kept response to a target.
    mutating func entry(for target: String) -> Entry? {
        guard var entry = entries[target] else { return nil }
        uses += 1
        entry.used = uses
        entries[target] = entry
        return entry
    }

    /// Keeps a response if it may be kept.
    mutating func store(_ response: ServiceResponse, for target: String, now: Double) {
        let control = CacheControl(response.fields["cache-control"] ?? "")
        let size = response.content.count
        remove(target)
        guard response.status == 200, !control.isForbidden, size <= byteLimit / 4 else { return }
        let etag = response.fields["etag"]
        guard etag != nil || control.maxAge > 0 else { return }
        uses += 1
        var entry = Entry(response: response, etag: etag, used: uses)
        entry.renew(control, age: response.fields["age"], now: now)
        entries[target] = entry
        byteCount += size
        while byteCount > byteLimit, let oldest = entries.min(by: { $0.value.used < $1.value.used })?.key {
            remove(oldest)
        }
    }

    /// Makes a response fresh again after a 304 with these fields; returns it.
    mutating func refresh(_ target: String, with fields: [String: String], now: Double) -> ServiceResponse? {
        guard var entry = entries[target] else { return nil }
        let control = CacheControl(fields["cache-control"] ?? entry.response.fields["cache-control"] ?? "")
        entry.renew(control, age: fields["age"], now: now)
        entries[target] = entry
        return entry.response
    }

    private mutating func remove(_ target: String) {
        if let old = entries.removeValue(forKey: target) { byteCount -= old.response.content.count }
    }
}

/// The directives of a `Cache-Control` field that matter to this client.
private struct CacheControl {
    var isForbidden = false
    var maxAge = 0.0
    var staleIfError = 0.0

    init(_ text: String) {
        for directive in text.split(separator: ",") {
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

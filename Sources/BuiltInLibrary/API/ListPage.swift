import HTTPExchange
import Primitives

/// A page of a list: its range, and the links to the other pages.
struct ListPage: Sendable {
    /// From 1.
    let number: Int
    let size: Int
    let total: Int

    /// The upstream's largest page; it reduces larger sizes without an error.
    static let limit = 30

    /// Reads `page` and `per_page` (default 10) of a list of `total` entries.
    init(_ query: WireQuery, total: Int) {
        number = query.positive("page", or: 1)
        size = min(query.positive("per_page", or: 10), Self.limit)
        self.total = total
    }

    var count: Int { (total + size - 1) / size }

    /// The entries of this page; empty past the end.
    var range: Range<Int> {
        // The product cannot overflow for a page that exists.
        guard number <= count else { return total..<total }
        return (number - 1) * size..<min(number * size, total)
    }

    /// The `Link` field (RFC 8288) in the upstream's order, with the client's query by name; nil for a single page.
    func link(base: String, path: Substring, _ query: WireQuery) -> String? {
        let before = number > 1 ? [("first", 1), ("prev", number - 1)] : []
        let after = number < count ? [("last", count), ("next", number + 1)] : []
        guard number > 1 || number < count else { return nil }
        let kept = query.items.filter { $0.name != "page" && $0.name != "client_id" }
        return (before + after).map { name, page in
            let items = (kept + [("page", String(page))]).sorted { $0.name < $1.name }
            let text = items.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
            return "<\(base)\(path)?\(text.joined(separator: "&"))>; rel=\"\(name)\""
        }
        .joined(separator: ", ")
    }
}

/// A query as the upstream reads it: unknown parameters are ignored, and the last of several values counts.
struct WireQuery: Sendable {
    /// Names and values, decoded, in the order received.
    let items: [(name: String, value: String)]

    init(_ target: Target) {
        items = (target.query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
    }

    subscript(name: String) -> String? {
        items.last { $0.name == name }?.value
    }

    /// A finite number of at least `least`; nil if there is none.
    func number(_ name: String, atLeast least: Double = -.greatestFiniteMagnitude) -> Double? {
        self[name].flatMap { Double($0) }.flatMap { $0.isFinite && $0 >= least ? $0 : nil }
    }

    /// A whole number of at least 1, else `fallback`: the upstream reads `page=0` as `page=1`.
    func positive(_ name: String, or fallback: Int) -> Int {
        guard let value = self[name].flatMap({ Int($0) }), value > 0 else { return fallback }
        return value
    }

    private static func decoded(_ text: Substring) -> String {
        PercentEncoding.decode(text, plusIsSpace: true) ?? String(text)
    }
}

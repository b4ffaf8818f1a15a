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

    /// The `Link` field with the client's query; nil for a single page.
    func link(base: String, path: Substring, _ query: WireQuery) -> String? {
        let kept = query.items.filter { $0.name != "page" && $0.name != "client_id" }
            .map { (name: PercentEncoding.encode($0.name), value: $0.value) }
        return PageLinks(of: number, among: count) { page in
            "\(base)\(path)?\(PercentEncoding.query(kept + [("page", "\(page)")]))"
        }.field
    }
}

/// A query as the upstream reads it: unknown parameters are ignored, and the last of several values counts.
struct WireQuery: Sendable {
    /// Names and values, decoded, in the order received.
    let items: [(name: String, value: String)]

    init(_ target: Target) {
        items = target.queryPairs.map { pair in
            (pair.name ?? String(pair.encodedName), pair.value ?? String(pair.encodedValue))
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
}

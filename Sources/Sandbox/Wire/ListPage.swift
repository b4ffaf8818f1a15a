import HTTPExchange
import Primitives

/// A page of a list: which part of it, and the fields that say where the others are.
struct ListPage: Sendable {
    /// From 1.
    let number: Int
    let size: Int
    let total: Int

    /// The upstream never gives more than this on a page, and does not say so.
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
        // A page number can be as large as an integer: the product is only made when there is such a page.
        guard number <= count else { return total..<total }
        return (number - 1) * size..<min(number * size, total)
    }

    /// The `Link` field (RFC 8288) in the upstream's order: first, prev, last, next, each only where it leads
    /// elsewhere; nil for a list of one page.
    ///
    /// The query is the client's own, its keys sorted, with `page` replaced.
    func link(base: String, path: Substring, _ query: WireQuery) -> String? {
        var relations: [(name: String, page: Int)] = []
        if number > 1 {
            relations.append(("first", 1))
            relations.append(("prev", number - 1))
        }
        if number < count {
            relations.append(("last", count))
            relations.append(("next", number + 1))
        }
        guard !relations.isEmpty else { return nil }
        let kept = query.items.filter { $0.name != "page" && $0.name != "client_id" }
        return relations.map { relation in
            let items = (kept + [("page", String(relation.page))]).sorted { $0.name < $1.name }
            let text = items.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
            return "<\(base)\(path)?\(text.joined(separator: "&"))>; rel=\"\(relation.name)\""
        }
        .joined(separator: ", ")
    }
}

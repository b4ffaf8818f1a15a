/// The links of a page to other pages of its list: the field Link (RFC 8288).
package struct PageLinks {
    private var links: [String] = []

    package init() {}

    /// Adds a link; `target` has only characters that RFC 3986 allows, so that it cannot end the link.
    package mutating func add(_ relation: String, _ target: String) {
        links.append("<\(target)>; rel=\"\(relation)\"")
    }

    /// The links of a page by number, as they apply: first, prev, last, next.
    package init(of page: Int, among count: Int, _ target: (Int) -> String) {
        if page > 1 {
            add("first", target(1))
            add("prev", target(min(page - 1, max(1, count))))
        }
        if page < count {
            add("last", target(count))
            add("next", target(page + 1))
        }
    }

    /// The value of the field; empty without links.
    package var text: String { links.joined(separator: ", ") }

    /// The value of the field; nil without links.
    package var field: String? { links.isEmpty ? nil : text }
}

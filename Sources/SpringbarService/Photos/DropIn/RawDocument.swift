import PhotoFeed
import Primitives

/// A document of the library, with the places of its list entries.
struct RawDocument: Sendable {
    let content: [UInt8]
    /// The entries of a list, or the results of a search; empty for a document that is no list.
    let entries: [Range<Int>]
    let total: Int?
    let hasNext: Bool

    init(_ answer: RawAnswer, isSearch: Bool) {
        content = answer.content
        let whole = 0..<content.count
        let list = isSearch ? RawJSON.member("results", of: content, in: whole) : whole
        // The library never gives more than it was asked for; a list of two million numbers is none of its.
        let found = list.flatMap { [content] in RawJSON.elements(of: content, in: $0, atMost: Feed.pageSize) }
        entries = found ?? []
        let written = isSearch ? RawJSON.member("total", of: content, in: whole) : nil
        total =
            Total.reading(written.map { [content] in String(decoding: content[$0], as: UTF8.self) })
            ?? answer.total.map(Total.bounded)
        hasNext = answer.hasNext && !entries.isEmpty
    }

    /// Bytes in a cache, with its places.
    var cost: Int { content.count + 16 * entries.count + 256 }
}

/// What a drop-in client asks for, without what differs between clients: of equal questions one is asked upstream.
struct RawQuestion: Sendable {
    /// Where the library has it.
    let path: String
    /// Name and value, decoded, sorted by name.
    let parameters: [(name: String, value: String)]

    /// The parameters that the library knows besides page and per_page.
    ///
    /// Everything else is dropped, above all `client_id`: a key of the client's must not reach the library, a log or a
    /// cache.
    static let known: Set<String> = [
        "query", "order_by", "orientation", "color", "content_filter", "lang", "collections", "topics", "username",
        "count", "ids",
    ]

    /// The parameters in which a client may send credentials of its own.
    private static let credentials: Set<String> = ["client_id", "client_secret", "access_token", "bearer_token"]

    /// Whether a parameter of this name, decoded, carries a client's own credentials; `client_id[]` does as well.
    static func isCredential(_ name: String) -> Bool {
        credentials.contains(name.lowercased().prefix { $0 != "[" }.filter { !$0.isWhitespace })
    }

    /// What the library calls a resource of this kind in its errors.
    var resource: String {
        switch path.split(separator: "/").first {
        case "topics": "Topic"
        case "collections": "Collection"
        default: "Photo"
        }
    }

    /// The path and query to ask, with more parameters.
    func target(_ more: [(name: String, value: String)] = []) -> String {
        let all = (parameters + more).sorted { $0.name < $1.name }
        if all.isEmpty { return path }
        return path + "?" + all.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }
}

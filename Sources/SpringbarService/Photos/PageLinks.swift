import HTTPExchange
import PhotoFeed
import Primitives

/// The Link field of a page (RFC 8288): first, prev and next.
///
/// Links keep the parameters of the feed. `next` has a cursor, since only a cursor excludes duplicates. Targets have only
/// the characters that RFC 3986 allows, so that text of a client cannot end a link and begin another.
struct PageLinks: Sendable {
    private let path: String
    /// The parameters besides position and length.
    private let kept: [String]
    private let place: PageQuery

    init(_ target: Target, _ place: PageQuery) {
        path = PercentEncoding.encodeIllegal(in: target.path)
        kept = (target.query ?? "").split(separator: "&").filter { pair in
            let name = pair.prefix { $0 != "=" }
            return !PageQuery.names.contains(PercentEncoding.decode(name, plusIsSpace: true) ?? "")
        }.map { PercentEncoding.encodeIllegal(in: $0) }
        self.place = place
    }

    /// The value of the field.
    func field(next: String?, previous: String?) -> String {
        var links = [link("first", place.page == nil ? ["limit=\(place.limit)"] : numbered(1))]
        if let page = place.page, page > 1 {
            links.append(link("prev", numbered(page - 1)))
        } else if place.page == nil, let previous {
            links.append(link("prev", ["cursor=\(previous)", "limit=\(place.limit)"]))
        }
        if let next { links.append(link("next", ["cursor=\(next)", "limit=\(place.limit)"])) }
        return links.joined(separator: ", ")
    }

    private func numbered(_ page: Int) -> [String] {
        ["page=\(page)", "perPage=\(place.limit)"]
    }

    private func link(_ relation: String, _ own: [String]) -> String {
        "<\(path)?\((kept + own).joined(separator: "&"))>; rel=\"\(relation)\""
    }
}

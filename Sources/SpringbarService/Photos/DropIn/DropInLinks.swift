import HTTPExchange
import PhotoFeed

/// Links of the library that have to lead to us.
enum DropInLinks {
    /// The Link field as the library writes it: first, prev, last, next, as far as they apply; query keys sorted.
    static func field(_ asked: DropInRequest, total: Int) -> String? {
        let last = max(1, (total + asked.perPage - 1) / asked.perPage)
        var links: [String] = []
        func add(_ page: Int, _ relation: String) {
            let question = RawQuestion(path: "", parameters: asked.question.parameters)
            let query = question.target([("page", "\(page)"), ("per_page", "\(asked.perPage)")])
            links.append("<\(asked.base)\(asked.question.path)\(query)>; rel=\"\(relation)\"")
        }
        if asked.page > 1 {
            add(1, "first")
            add(min(asked.page - 1, last), "prev")
        }
        if asked.page < last {
            add(last, "last")
            add(asked.page + 1, "next")
        }
        return links.isEmpty ? nil : links.joined(separator: ", ")
    }

    /// Every `download_location` at our address; its path and query stay.
    static func rewrite(_ content: [UInt8], base: String) -> [UInt8] {
        let name = Array("\"download_location\":\"".utf8)
        let path = Array("/photos/".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(content.count + 1024)
        var copied = 0
        var position = 0
        while let quote = content[position...].firstIndex(of: UInt8(ascii: "\"")) {
            position = quote + 1
            guard content[quote...].starts(with: name) else { continue }
            let start = quote + name.count
            guard let end = content[start...].firstIndex(of: UInt8(ascii: "\"")),
                let photos = content[start..<end].indices.first(where: { content[$0..<end].starts(with: path) })
            else { continue }
            result += content[copied..<start]
            result += base.utf8
            copied = photos
            position = end
        }
        return result + content[copied...]
    }
}

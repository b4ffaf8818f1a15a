import HTTPExchange
import PhotoFeed

/// A request in the library's own format, read as the library reads it: what it does not know it leaves aside.
struct DropInRequest: Sendable {
    let question: RawQuestion
    /// From 1; 0 means 1.
    let page: Int
    /// 1 to 30: more is silently cut.
    let perPage: Int
    /// Where the client finds us, for absolute links.
    let base: String
    /// Every parameter of a download report: the terms ask for them.
    let reportQuery: String

    /// Reads a request whose path begins with `prefix`.
    init(_ request: Request, prefix: String, publicURL: String?) {
        var parameters: [(name: String, value: String)] = []
        var numbers: [String: Int] = [:]
        for pair in (request.target.query ?? "").split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(halves[0], plusIsSpace: true),
                let value = PercentEncoding.decode(halves.count > 1 ? halves[1] : "", plusIsSpace: true)
            else { continue }
            if name == "page" || name == "per_page" {
                numbers[name] = Int(value)
            } else if RawQuestion.known.contains(name), !parameters.contains(where: { $0.name == name }) {
                parameters.append((name, value))
            }
        }
        // The prefix is one segment, and may be spelt in another way (`%68` for an h): what is cut off is the segment.
        let path = String(Substring(request.target.path.utf8.dropFirst().drop { $0 != UInt8(ascii: "/") }))
        question = RawQuestion(path: path, parameters: parameters.sorted { $0.name < $1.name })
        page = min(100_000, max(1, numbers["page"] ?? 1))
        let asked = numbers["per_page"] ?? 10
        perPage = asked < 1 ? 10 : min(Feed.pageSize, asked)
        let host = request.fields[.host] ?? "localhost"
        base = (publicURL ?? "http://" + host) + prefix
        reportQuery = (request.target.query ?? "").split(separator: "&")
            .filter { !$0.hasPrefix("client_id=") }.joined(separator: "&")
    }
}

import HTTPExchange
import PhotoFeed
import Primitives

/// A request in the library's own format, read as the library reads it: what it does not know it leaves aside.
///
/// Nothing of the request's target is passed on as it was written. The path is made of the route and of names that have
/// been checked, the query of parameters that have been decoded and are encoded again.
struct DropInRequest: Sendable {
    let question: RawQuestion
    /// From 1; 0 means 1.
    let page: Int
    /// 1 to 30: more is silently cut.
    let perPage: Int
    /// Where the client finds us, for absolute links.
    let base: String
    /// Where the addresses of pictures lead to us; nil where they are the library's own.
    let ownHotlinks: String?
    /// The parameters of a download report (the terms ask for them), encoded; credentials are left out.
    let reportQuery: String

    /// Why a request is refused before the library is asked.
    enum Refusal: Error, Equatable {
        /// A path parameter is no name that the library could know.
        case notFound
        /// A parameter that the library knows cannot be decoded.
        case malformedParameter(String)
        /// The query that would be sent on is too long.
        case tooLong
    }

    /// The longest query that is sent on, in bytes; the library's longest search is a fraction of it.
    static let longestQuery = 2048

    /// Reads a request.
    ///
    /// `template` is that of the route, such as `/unsplash/topics/{slug}/photos`, whose first segment is ours. `publicURL`
    /// is where clients reach the service; nil takes the Host of the request.
    init(
        _ request: Request,
        template: String,
        _ parameters: PathParameters,
        publicURL: String?,
        ownHotlinks: String?
    ) throws(Refusal) {
        self.ownHotlinks = ownHotlinks
        var known: [(name: String, value: String)] = []
        var numbers: [String: Int] = [:]
        var report: [String] = []
        for pair in (request.target.query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(Substring(halves[0]), plusIsSpace: true) else { continue }
            let value = PercentEncoding.decode(halves.count > 1 ? Substring(halves[1]) : "", plusIsSpace: true)
            if let value, !RawQuestion.isCredential(name) {
                report.append(PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value))
            }
            if name == "page" || name == "per_page" {
                numbers[name] = value.flatMap { Int($0) }
            } else if RawQuestion.known.contains(name), !known.contains(where: { $0.name == name }) {
                guard let value else { throw .malformedParameter(name) }
                known.append((name, value))
            }
        }
        question = RawQuestion(
            path: try Self.path(template, parameters),
            parameters: known.sorted { $0.name < $1.name }
        )
        reportQuery = report.joined(separator: "&")
        guard question.target().utf8.count - question.path.utf8.count <= Self.longestQuery else { throw .tooLong }
        page = min(100_000, max(1, numbers["page"] ?? 1))
        let asked = numbers["per_page"] ?? 10
        perPage = asked < 1 ? 10 : min(Feed.pageSize, asked)
        let prefix = template.dropFirst().prefix { $0 != "/" }
        base =
            PercentEncoding.encodeIllegal(in: publicURL ?? "http://" + (request.fields[.host] ?? "localhost")) + "/"
            + prefix
    }

    /// The library's path: the template without our prefix, with the names in it.
    private static func path(_ template: String, _ parameters: PathParameters) throws(Refusal) -> String {
        var path = ""
        for segment in template.split(separator: "/").dropFirst() {
            guard segment.hasPrefix("{"), segment.hasSuffix("}") else {
                path += "/" + segment
                continue
            }
            let text = parameters.require(String(segment.dropFirst().dropLast()))
            let isName = path == "/photos" ? PhotoID(text) != nil : LibraryName(text) != nil
            guard isName else { throw .notFound }
            path += "/" + PercentEncoding.encode(text)
        }
        return path
    }
}

import HTTPExchange
import PhotoFeed
import Primitives

/// A request in the library's format, which ignores unknown parameters.
///
/// The target for the library is written anew: the path from the route and checked names, the query from decoded
/// parameters.
struct DropInRequest: Sendable {
    let question: RawQuestion
    /// From 1; 0 means 1.
    let page: Int
    /// 1 to 30; larger sizes become 30, as in the library.
    let perPage: Int
    /// The base URL of the service, for absolute links.
    let base: String
    /// The base URL of hotlinks to the service's own pictures; nil for the library's addresses.
    let ownHotlinks: String?
    /// The encoded parameters of a download report, which the terms require, without credentials.
    let reportQuery: String

    /// The reason for refusing a request without a call of the library.
    enum Refusal: Error, Equatable {
        /// A path parameter is not a well-formed name.
        case notFound
        /// A known parameter cannot be decoded.
        case malformedParameter(String)
        /// The query for the library is too long.
        case tooLong
    }

    /// The longest query for the library, in bytes; its longest search is a fraction of this.
    static let longestQuery = 2048

    /// Reads a request.
    ///
    /// `template` is that of the route, such as `/unsplash/topics/{slug}/photos`. `publicURL` is the base URL of the
    /// service; nil for the Host of the request.
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

    /// The library's path: the template without its first segment, with the names in it.
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

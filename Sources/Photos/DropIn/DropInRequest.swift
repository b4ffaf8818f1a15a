package import HTTPExchange
import HTTPTypes
import JSON
import PhotoLibrary
import Primitives

/// A request in the library's format, which ignores unknown parameters; the last of repeated ones counts.
///
/// Its target for the library is encoded again, from checked names and decoded parameters.
struct DropInRequest: Sendable {
    let path: String
    /// Name and value, decoded.
    private let parameters: [(name: String, value: String)]
    /// From 1; 0 means 1.
    let page: Int
    /// 1 to 30; larger sizes become 30, as in the library.
    let perPage: Int
    /// The base URL of the service, for absolute links.
    let base: String
    let hotlinkBase: String?
    let signatures: LinkSignatures
    /// The encoded parameters of a download report, which the terms require, without credentials.
    let reportQuery: String

    /// Reads a request of a route such as `/unsplash/topics/{slug}/photos`.
    ///
    /// - Throws: the error of a request that is refused without a call of the library.
    init(
        _ request: Request,
        template: String,
        _ parameters: PathParameters,
        for service: PhotoService
    ) throws(UpstreamError) {
        hotlinkBase = service.hotlinkBase(request)
        signatures = service.configuration.signatures
        let prefix = template.dropFirst().prefix { $0 != "/" }
        base = request.base(publicURL: service.configuration.publicURL) + "/" + prefix
        var sent: [(name: String, value: String)] = []
        var numbers: [String: Int] = [:]
        var report: [String] = []
        for pair in request.target.queryPairs {
            guard let name = pair.name else { continue }
            let value = pair.value
            let plainName = name.lowercased().prefix { $0 != "[" }.filter { !$0.isWhitespace }
            if let value, !Self.credentials.contains(plainName) {
                report.append(PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value))
            }
            if name == "page" || name == "per_page" {
                numbers[name] = value.flatMap(Self.number)
            } else if Self.parameterNames.contains(name) {
                guard let value else {
                    throw .invalidQuery(400, "\(name) must be percent-encoded UTF-8 without control characters")
                }
                sent.removeAll { $0.name == name }
                sent.append((name, value))
            }
        }
        path = try Self.path(template, parameters)
        self.parameters = sent.filter { [path] in !Feed.isDefault($0.name, $0.value, at: path) }
        reportQuery = report.joined(separator: "&")
        page = min(100_000, max(1, numbers["page"] ?? 1))
        let size = numbers["per_page"] ?? 10
        perPage = size < 1 ? 10 : min(Feed.pageSize, size)
        try Self.checkLength(target().utf8.count - path.utf8.count)
    }

    /// Reads a whole number; digits beyond 64 bits are the largest or the least one.
    private static func number(_ text: String) -> Int? {
        guard NumberGrammar.isWhole(text) else { return nil }
        return Int(text) ?? (text.hasPrefix("-") ? .min : .max)
    }

    /// The path and query for the library, with more parameters; requests with equal targets share a fetch.
    func target(_ more: [(name: String, value: String)] = []) -> String {
        let query = PercentEncoding.query(parameters + more)
        return query.isEmpty ? path : path + "?" + query
    }

    func reportTarget() throws(UpstreamError) -> String {
        // That of an address which the library has made of the longest search.
        try Self.checkLength(reportQuery.utf8.count, limit: PhotoPayload.longestAddress)
        return path + (reportQuery.isEmpty ? "" : "?" + reportQuery)
    }

    private static func checkLength(_ query: Int, limit: Int = PhotoPayload.longestQuery) throws(UpstreamError) {
        guard query <= limit else { throw .invalidQuery(414, "The query must be at most \(limit) bytes") }
    }

    /// The library's path: the template without its prefix, once or twice, with the names in it.
    private static func path(_ template: String, _ parameters: PathParameters) throws(UpstreamError) -> String {
        var path = ""
        let segments = template.split(separator: "/")
        for segment in segments.drop(while: { $0 == segments.first }) {
            guard segment.hasPrefix("{"), segment.hasSuffix("}") else {
                path += "/" + segment
                continue
            }
            let text = parameters.require(String(segment.dropFirst().dropLast()))
            let name =
                switch path {
                case "/photos": LibraryName(photo: text)
                case "/users": LibraryName(username: text)
                default: LibraryName(text)
                }
            guard let name else { throw .notFound }
            path += "/" + PercentEncoding.encode(name.text)
        }
        return path
    }

    /// The parameters of the library besides page and per_page.
    ///
    /// All others are dropped: the key of a client (`client_id`) must not reach the library, a log or a cache.
    private static let parameterNames: Set<String> = [
        "query", "order_by", "orientation", "color", "content_filter", "lang", "collections", "topics", "username",
        "count", "ids", "stats", "resolution", "quantity",
    ]

    /// The names of credentials of a client, as in `client_id[]` too.
    private static let credentials: Set<String> = ["client_id", "client_secret", "access_token", "bearer_token"]
}

/// Errors in the format of the library: `{"errors": ["…"]}`, with its own status if there is one.
enum DropInErrors {
    /// The answer for an error of a route, whose path names the resource.
    static func response(_ error: UpstreamError, template: String) -> Response {
        let problem = Problem(error)
        let (status, message) =
            switch error {
            // The library's messages, which clients show and compare.
            case .rateLimited: (503, "Rate Limit Exceeded")
            case .notFound where template.hasSuffix("/random"): (404, "No photos found.")
            case .notFound: (404, "Couldn't find \(resource(template))")
            case .invalidQuery(let status, let message): (status, message)
            case .refused(let status, _), .failed(.status(let status, _)): (status, problem.detail)
            case .unavailable: (503, problem.detail)
            // A refused key is the service's: a client that gets 401 would renew or drop its own.
            default: (problem.status.code, problem.detail)
            }
        return .json(content(message), status: .init(code: status), fields: problem.fields)
    }

    /// The document of an error.
    fileprivate static func content(_ message: String) -> [UInt8] {
        JSONWriter.document(capacity: 128) { json in
            json.object { json in json.array("errors") { json in json.value(message) } }
        }
    }

    private static func resource(_ template: String) -> String {
        switch template.split(separator: "/").dropFirst().first {
        case "topics": "Topic"
        case "collections": "Collection"
        case "users": "User"
        default: "Photo"
        }
    }
}

/// Writes problems below a prefix in the library's format, whichever step has found them: its clients read no other.
package struct DropInProblems: Middleware {
    private let prefix: String

    /// Writes the problems of a path, such as `/unsplash`, and of the paths below it.
    package init(below prefix: String) {
        self.prefix = prefix
    }

    /// Whether a request is of a client of the library, which has no use for a page in HTML.
    package func covers(_ request: Request, _ context: Context) -> Bool {
        let path = context.match.template ?? PercentEncoding.decode(request.target.path) ?? ""
        return path == prefix || path.hasPrefix(prefix + "/")
    }

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        guard response.status.code >= 400, covers(request, context),
            response.fields[.contentType] == MediaType.problem.essence,
            case .bytes(let problem) = response.content,
            let detail = try? JSON.parse(problem).object().required("detail").string()
        else { return }
        response.content = .bytes(DropInErrors.content(detail))
        response.fields[.contentType] = MediaType.json.essence
    }
}

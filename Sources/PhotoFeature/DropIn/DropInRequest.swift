import HTTPExchange
import HTTPTypes
import JSON
import PhotoFeed
import Primitives

/// A request in the library's format, which ignores unknown parameters.
///
/// The target for the library is encoded again: the path from the route and checked names, the query from decoded
/// parameters.
struct DropInRequest: Sendable {
    let target: RawTarget
    /// From 1; 0 means 1.
    let page: Int
    /// 1 to 30; larger sizes become 30, as in the library.
    let perPage: Int
    /// The base URL of the service, for absolute links.
    let base: String
    /// The base URL of hotlinks to the service's own pictures; nil for the library's addresses.
    let hotlinkBase: String?
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
        hotlinkBase: String?
    ) throws(Refusal) {
        self.hotlinkBase = hotlinkBase
        var known: [(name: String, value: String)] = []
        var numbers: [String: Int] = [:]
        var report: [String] = []
        for pair in (request.target.query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(Substring(halves[0]), plusIsSpace: true) else { continue }
            let value = PercentEncoding.decode(halves.count > 1 ? Substring(halves[1]) : "", plusIsSpace: true)
            if let value, !RawTarget.isCredential(name) {
                report.append(PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value))
            }
            if name == "page" || name == "per_page" {
                numbers[name] = value.flatMap(NumberGrammar.integer)
            } else if RawTarget.known.contains(name), !known.contains(where: { $0.name == name }) {
                guard let value else { throw .malformedParameter(name) }
                known.append((name, value))
            }
        }
        target = RawTarget(
            path: try Self.path(template, parameters),
            parameters: known.sorted { $0.name < $1.name }
        )
        reportQuery = report.joined(separator: "&")
        guard target.text().utf8.count - target.path.utf8.count <= Self.longestQuery else { throw .tooLong }
        page = min(100_000, max(1, numbers["page"] ?? 1))
        let size = numbers["per_page"] ?? 10
        perPage = size < 1 ? 10 : min(Feed.pageSize, size)
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
            let isName = path == "/photos" ? LibraryName(photo: text) != nil : LibraryName(text) != nil
            guard isName else { throw .notFound }
            path += "/" + PercentEncoding.encode(text)
        }
        return path
    }
}

/// Errors in the format of the library: `{"errors": ["…"]}`, with its own status if there is one.
enum DropInErrors {
    /// The answer for an error; `resource` is the library's name of the resource, such as `Photo`.
    static func response(_ error: UpstreamError, resource: String) -> Response {
        let (status, message, retryAfter) = wording(error, resource)
        return response(status, message, retryAfter)
    }

    /// The answer for a request that is refused without a call of the library.
    static func response(_ refusal: DropInRequest.Refusal, resource: String) -> Response {
        switch refusal {
        case .notFound: response(404, notFound(resource))
        case .malformedParameter(let name): response(400, "\(name) must be percent-encoded UTF-8")
        case .tooLong: response(414, "The query must be at most \(DropInRequest.longestQuery) bytes")
        }
    }

    private static func response(_ status: Int, _ message: String, _ retryAfter: Duration? = nil) -> Response {
        var json = JSONWriter(capacity: 128)
        json.object { json in
            json.array("errors") { json in json.value(message) }
        }
        var response = Response.json(
            json.bytes,
            status: HTTPResponse.Status(code: status),
            fields: [.cacheControl: "no-store"]
        )
        if let retryAfter { response.fields[.retryAfter] = retryAfter.retryAfter }
        return response
    }

    /// The library's message, which clients show and compare.
    private static func notFound(_ resource: String) -> String { "Couldn't find \(resource)" }

    private static func wording(
        _ error: UpstreamError,
        _ resource: String
    ) -> (status: Int, message: String, retryAfter: Duration?) {
        switch error {
        case .rateLimited(let retryAfter): (503, "Rate Limit Exceeded", retryAfter)
        // The key is the service's: a client that gets 401 would renew or drop its own.
        case .credentials: (502, "The photo library refuses the key of this service", nil)
        case .notFound: (404, notFound(resource), nil)
        case .invalidQuery(let status, let message): (status, message, nil)
        case .refused(let status): (status, "The photo library refuses the request", nil)
        case .failed(.status(let status)): (status, "The photo library failed", .seconds(5))
        case .failed, .invalid, .unusable, .imageRejected:
            (502, "The photo library's answer cannot be used", .seconds(5))
        case .overloaded: (503, "Too many transfers from the photo library are in progress", .seconds(1))
        case .timedOut: (504, "The photo library took too long", .seconds(5))
        case .unavailable(let retryAfter): (503, "The photo library has failed several times in a row", retryAfter)
        case .storeUnavailable: (503, "The store of the replicas does not answer", .seconds(1))
        case .cancelled: (499, "The client has disconnected", nil)
        }
    }
}

import ClientJSON
import Foundation

/// A request to the service, as values.
public struct ServiceRequest: Sendable, Equatable {
    /// The method, such as `POST`.
    public internal(set) var method: String
    /// The path without the base, percent-encoded.
    public internal(set) var path: String
    /// The query parameters.
    public internal(set) var query: [Parameter] = []
    /// Header fields by name; a transport may add more.
    public var fields: [String: String] = [:]
    /// The JSON of the request; nil for none.
    public internal(set) var content: String?
    /// The request about a bar that this is, which a mock answers; nil for another one.
    var bar: BarRequest?

    /// A query parameter.
    public struct Parameter: Sendable, Equatable {
        /// The name of the parameter.
        public let name: String
        /// Its value, not encoded.
        public let value: String
    }

    /// The path and the encoded query.
    public var target: String {
        guard !query.isEmpty else { return path }
        return path + "?" + query.map { $0.name + "=" + ServiceRequest.encoded($0.value) }.joined(separator: "&")
    }

    /// Returns a text with all but the unreserved characters of RFC 3986 encoded.
    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}

extension ServiceRequest {
    init(
        _ method: String,
        _ path: String,
        query: [(name: String, value: String?)] = [],
        fields: [String: String] = [:],
        json: JSONDocument? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query.compactMap { name, value in value.map { Parameter(name: name, value: $0) } }
        self.fields = fields
        content = json?.text
    }
}

/// A response of the service, as values.
public struct ServiceResponse: Sendable {
    /// The status, such as 200.
    public let status: Int
    /// Header fields by name in lower case.
    public let fields: [String: String]
    /// The bytes of the content.
    public let content: [UInt8]

    /// A response with the given members.
    public init(status: Int, fields: [String: String] = [:], content: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.content = content
    }

    /// Whether the content is a picture or JSON, as was asked for; a page of a proxy is not kept.
    func isOfType(_ accepted: String?) -> Bool {
        fields["content-type"]?.lowercased().hasPrefix(accepted == "image/*" ? "image/" : "application/json") == true
    }

    /// Returns the document of a successful response.
    ///
    /// - Throws: the problem of an error response, or `unreadable`.
    func document() throws(Problem) -> JSONDocument {
        let document = content.isEmpty ? .null : try? JSONReader.document(content)
        if status >= 400 { throw problem(document) }
        guard let document else { throw .unreadable(status: status) }
        return document
    }

    /// The problem of an error response; an error page of a proxy has no document, but may say when to come back.
    private func problem(_ document: JSONDocument?) -> Problem {
        let code = document?["type"]?.string?.split(separator: "/").last
        var problem = Problem(
            status: status,
            code: code.map(String.init) ?? "unreadable",
            detail: document?["detail"]?.string ?? document?["title"]?.string ?? "The service answered \(status).",
            faults: (document?["errors"]?.array ?? []).map {
                Problem.Fault(
                    pointer: $0["pointer"]?.string,
                    parameter: $0["parameter"]?.string,
                    detail: $0["detail"]?.string ?? ""
                )
            },
            requestID: fields["x-request-id"] ?? document?["instance"]?.string,
            retryAfter: fields["retry-after"].flatMap { BackOff.seconds(retryAfter: $0) },
            expectedSequence: document?["expectedSequence"]?.integer
        )
        problem.etag = fields["etag"]
        return problem
    }
}

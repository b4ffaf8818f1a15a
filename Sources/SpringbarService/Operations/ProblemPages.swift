package import HTTPExchange
import HTTPTypes
import JSON

/// What each problem means: where the `type` of a problem leads.
package struct ProblemPages: Sendable {
    private let pages: [String: Response]

    /// Writes a page for each kind, once.
    package init(_ catalogue: ProblemCatalogue) {
        pages = Dictionary(uniqueKeysWithValues: catalogue.kinds.map { ($0.code, ProblemPages.write($0)) })
    }

    /// The page of a code; nil for a code that this service never answers with.
    package func page(_ code: String) -> Response? {
        pages[code]
    }

    private static func write(_ kind: Problem.Kind) -> Response {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.member("code", kind.code)
            json.member("status", kind.status.code)
            json.member("title", kind.title)
            json.member("explanation", kind.explanation)
        }
        let tag = EntityTag(hashing: json.bytes)
        return .json(json.bytes, fields: [.eTag: tag.description, .cacheControl: "public, max-age=86400"])
    }
}

package import HTTPExchange
import HTTPTypes
import JSON

/// What each problem means, where the `type` of a problem leads; and which problems there are.
package struct ProblemPages: Sendable {
    /// All kinds in the catalogue's order, each with the `type` that leads to its page.
    package let index: Response

    private let pages: [String: Response]

    /// Writes a page for each kind, and the index of them, once.
    package init(_ catalogue: ProblemCatalogue) {
        index = ProblemPages.write(catalogue.kinds)
        pages = Dictionary(uniqueKeysWithValues: catalogue.kinds.map { ($0.code, ProblemPages.write($0)) })
    }

    /// The page of a code; nil for a code that this service never answers with.
    package func page(_ code: String) -> Response? {
        pages[code]
    }

    private static func write(_ kind: Problem.Kind) -> Response {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.members(naming: kind)
            json.member("explanation", kind.explanation)
        }
        return page(json.bytes)
    }

    private static func write(_ kinds: [Problem.Kind]) -> Response {
        var json = JSONWriter(capacity: 8192)
        json.object { json in
            json.array("problems") { json in
                for kind in kinds {
                    json.object { json in
                        json.members(naming: kind)
                        json.member("type", kind.type)
                    }
                }
            }
        }
        return page(json.bytes)
    }

    /// What changes with a release alone.
    private static func page(_ json: [UInt8]) -> Response {
        let tag = EntityTag(hashing: json)
        return .json(json, fields: [.eTag: tag.description, .cacheControl: "public, max-age=86400"])
    }
}

extension JSONWriter {
    /// What a kind is told by, wherever it is.
    fileprivate mutating func members(naming kind: Problem.Kind) {
        member("code", kind.code)
        member("status", kind.status.code)
        member("title", kind.title)
    }
}

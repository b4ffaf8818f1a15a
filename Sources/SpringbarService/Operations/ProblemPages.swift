package import HTTPExchange
import HTTPTypes
import JSON

/// The pages that the `type` of a problem links to, and the index of all problems.
package struct ProblemPages: Sendable {
    /// All kinds in the order of the catalogue, each with its `type`.
    package let index: Response

    private let pages: [String: Response]

    /// Creates the index and the page of each kind.
    package init(_ catalogue: ProblemCatalogue) {
        index = ProblemPages.write(catalogue.kinds)
        pages = Dictionary(uniqueKeysWithValues: catalogue.kinds.map { ($0.code, ProblemPages.write($0)) })
    }

    /// Returns the page of a code, or nil for an unknown code.
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

    /// Returns a response that changes only with a release.
    private static func page(_ json: [UInt8]) -> Response {
        let tag = EntityTag(hashing: json)
        return .json(json, fields: [.eTag: tag.description, .cacheControl: "public, max-age=86400"])
    }
}

extension JSONWriter {
    /// Writes the members that the index and the pages share.
    fileprivate mutating func members(naming kind: Problem.Kind) {
        member("code", kind.code)
        member("status", kind.status.code)
        member("title", kind.title)
    }
}

import HTTPExchange
import HTTPTypes
import JSON

/// The upstream's errors, with its messages.
enum WireError: Error, Equatable {
    /// The key is missing or unknown.
    case invalidToken
    /// There is no such resource; its type, such as `Photo`.
    case notFound(String)
    /// A required parameter is missing.
    case missing(String)
    /// A search that looks like spam.
    case flaggedSearch
    /// No photo matches the filters of `random`.
    case noPhotos
    /// A download report without an `ixid`.
    case untrackedDownload

    var status: HTTPResponse.Status {
        switch self {
        case .invalidToken: .unauthorized
        case .notFound, .noPhotos: .notFound
        case .missing: .badRequest
        case .flaggedSearch: .gone
        case .untrackedDownload: .unprocessableContent
        }
    }

    var message: String {
        switch self {
        case .invalidToken: "OAuth error: The access token is invalid"
        case .notFound(let resource): "Couldn't find \(resource)"
        case .missing(let parameter): "\(parameter) is missing"
        case .flaggedSearch: "This search has been flagged as spam"
        case .noPhotos: "No photos found."
        case .untrackedDownload: "ixid is missing: call links.download_location with all of its parameters"
        }
    }

    /// The answer: `{"errors":["…"]}`.
    var response: Response {
        WireError.response(status, [message])
    }

    /// An answer in the upstream's format for errors.
    static func response(_ status: HTTPResponse.Status, _ messages: [String]) -> Response {
        var json = JSONWriter(capacity: 128)
        json.object { json in
            json.array("errors") { json in
                for message in messages { json.value(message) }
            }
        }
        return .json(json.bytes, status: status, fields: [.cacheControl: "no-cache"])
    }
}

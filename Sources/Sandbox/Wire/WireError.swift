import HTTPExchange
import HTTPTypes
import JSON

/// The upstream's errors, in its own words.
enum WireError: Error, Equatable {
    /// No key, or one that it does not know.
    case invalidToken
    /// What was asked for, such as `Photo`.
    case notFound(String)
    /// A parameter that must be there.
    case missing(String)
    /// A search that looks like spam.
    case flaggedSearch
    /// Nothing fits what `random` was asked for.
    case noPhotos
    /// A download that does not say where the picture was shown.
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
        case .notFound(let what): "Couldn't find \(what)"
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

    /// An answer of the upstream's one shape for errors.
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

import HTTPExchange
import HTTPTypes
import JSON

/// The upstream's errors, with its messages.
struct WireError: Error, Equatable {
    let status: HTTPResponse.Status
    let message: String

    /// The key is missing or unknown.
    static let invalidToken = WireError(status: .unauthorized, message: "OAuth error: The access token is invalid")
    /// A search that looks like spam.
    static let flaggedSearch = WireError(status: .gone, message: "This search has been flagged as spam")
    /// No photo matches the filters of `random`.
    static let noPhotos = WireError(status: .notFound, message: "No photos found.")
    /// A download report without an `ixid`.
    static let untrackedDownload = WireError(
        status: .unprocessableContent,
        message: "ixid is missing: call links.download_location with all of its parameters"
    )

    /// There is no such resource; its type, such as `Photo`.
    static func notFound(_ resource: String) -> WireError {
        WireError(status: .notFound, message: "Couldn't find \(resource)")
    }

    /// A required parameter is missing.
    static func missing(_ parameter: String) -> WireError {
        WireError(status: .badRequest, message: "\(parameter) is missing")
    }

    /// The answer: `{"errors":["…"]}`.
    var response: Response {
        var json = JSONWriter(capacity: 128)
        json.object { json in
            json.array("errors") { json in json.value(message) }
        }
        return .json(json.bytes, status: status, fields: [.cacheControl: "no-cache"])
    }
}

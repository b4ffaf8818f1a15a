import HTTPExchange
import HTTPTypes
import JSON

/// The upstream's errors, with its messages.
struct WireError: Error, Equatable {
    let status: HTTPResponse.Status
    let message: String

    /// The key is missing or unknown.
    static let invalidToken = WireError(status: .unauthorized, message: "OAuth error: The access token is invalid")

    /// There is no such resource; its type, such as `Photo`.
    static func notFound(_ resource: String) -> WireError {
        WireError(status: .notFound, message: "Couldn't find \(resource)")
    }

    /// The answer: `{"errors":["…"]}`.
    var response: Response {
        let json = JSONWriter.document(capacity: 128) { json in
            json.object { json in json.array("errors") { json in json.value(message) } }
        }
        return .json(json, status: status, fields: [.cacheControl: "no-cache"])
    }
}

extension Optional {
    /// Returns the value; throws the upstream's 404 if there is no such resource.
    func orNotFound(_ resource: String) throws(WireError) -> Wrapped {
        guard let self else { throw .notFound(resource) }
        return self
    }
}

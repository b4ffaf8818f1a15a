package import HTTPExchange
import HTTPTypes
import JSON

/// The upstream's errors, with its messages.
package struct WireError: Error, Equatable {
    let status: Int
    let message: String

    package init(status: Int, message: String) {
        self.status = status
        self.message = message
    }

    /// The key is missing or unknown.
    package static let invalidToken = WireError(status: 401, message: "OAuth error: The access token is invalid")

    /// There is no such resource; its type, such as `Photo`.
    static func notFound(_ resource: String) -> WireError {
        WireError(status: 404, message: "Couldn't find \(resource)")
    }

    /// The answer: `{"errors":["…"]}`.
    package var response: Response {
        let json: WireJSON = "{\"errors\":[\(message as String?)]}"
        return .json(
            Array(json.text.utf8),
            status: HTTPResponse.Status(code: status),
            fields: [.cacheControl: "no-cache"]
        )
    }
}

extension Optional {
    /// Returns the value; throws the upstream's 404 if there is no such resource.
    func orNotFound(_ resource: String) throws(WireError) -> Wrapped {
        guard let self else { throw .notFound(resource) }
        return self
    }
}

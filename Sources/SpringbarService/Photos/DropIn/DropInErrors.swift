import HTTPExchange
import HTTPTypes
import JSON
import PhotoFeed

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
        case .credentials: (401, "OAuth error: The access token is invalid", nil)
        case .notFound: (404, notFound(resource), nil)
        case .invalidQuery(let status, let message): (status, message, nil)
        case .refused(let status): (status, "The photo library refuses the request", nil)
        case .failed(.status(let status)): (status, "The photo library failed", .seconds(5))
        case .failed, .invalid, .unusable, .imageRejected:
            (502, "The photo library's answer cannot be used", .seconds(5))
        case .overloaded: (503, "Too many transfers from the photo library are in progress", .seconds(1))
        case .timedOut: (504, "The photo library took too long", .seconds(5))
        case .unavailable(let retryAfter): (503, "The photo library has failed several times in a row", retryAfter)
        case .cancelled: (499, "The client has left", nil)
        }
    }
}

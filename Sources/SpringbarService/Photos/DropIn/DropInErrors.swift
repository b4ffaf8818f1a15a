import HTTPExchange
import HTTPTypes
import JSON
import PhotoFeed

/// Errors as the library words them: `{"errors": ["…"]}`, with its own status where it gave one.
enum DropInErrors {
    static func response(_ error: UpstreamError) -> Response {
        let (status, message, retryAfter) = wording(error)
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

    private static func wording(_ error: UpstreamError) -> (status: Int, message: String, retryAfter: Duration?) {
        switch error {
        case .rateLimited(let retryAfter): (503, "Rate Limit Exceeded", retryAfter)
        case .credentials: (401, "OAuth error: The access token is invalid", nil)
        case .notFound: (404, "Couldn't find what was asked for", nil)
        case .invalidQuery(let status, let message): (status, message, nil)
        case .failed(.status(let status)): (status, "The photo library failed", .seconds(5))
        case .refused(let status): (status, "The photo library refuses the request", nil)
        case .failed, .invalid, .unusable, .imageRejected:
            (502, "The photo library's answer cannot be used", .seconds(5))
        case .overloaded: (503, "There is no memory for the photo library's answer", .seconds(1))
        case .timedOut: (504, "The photo library took too long", .seconds(5))
        case .unavailable(let retryAfter): (503, "The photo library has failed several times in a row", retryAfter)
        case .cancelled: (499, "The client has left", nil)
        }
    }
}

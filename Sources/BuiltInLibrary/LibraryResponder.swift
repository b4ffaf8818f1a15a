package import HTTPExchange
import HTTPTypes
import PhotoLibrary
import Primitives
import Synchronization

/// The library behind HTTP: with the keys, the hourly limit and the errors of the upstream.
///
/// It is not an `Application`, because the refusals of that are problems, and the upstream has its own errors.
package struct LibraryResponder: Responder {
    private let library: BuiltInLibrary
    private let limit: RateLimit

    package init(_ library: BuiltInLibrary, _ limit: RateLimit) {
        self.library = library
        self.limit = limit
    }

    package func respond(to request: Request, memory: RequestMemory) -> Reply {
        let (refusal, fields) = admit(request)
        return (refusal.map { .now($0) } ?? reply(to: request)).map { response in
            var response = response
            for field in fields { response.fields[field.name] = field.value }
            return response
        }
    }

    package func response(to refusal: Refusal, of request: Request, memory: RequestMemory?) -> Response {
        WireError(status: 400, message: "\(refusal)").response
    }

    /// Checks the key of a request and counts it: returns the response if it is refused, and the fields of the limit.
    ///
    /// Pictures need no key, and do not count.
    package func admit(_ request: Request) -> (refusal: Response?, fields: Fields) {
        guard !request.isForPicture else { return (nil, [:]) }
        guard request.libraryKey?.isEmpty == false else { return (WireError.invalidToken.response, [:]) }
        let remaining = limit.admit(at: library.configuration.now())
        let fields: Fields = [.xRateLimitLimit: "\(limit.limit)", .xRateLimitRemaining: "\(remaining ?? 0)"]
        return (remaining == nil ? RateLimit.refusal : nil, fields)
    }

    /// Responds to a request that was admitted.
    package func reply(to request: Request) -> Reply {
        guard [.get, .head].contains(request.method) else { return .now(WireError.notFound("Page").response) }
        if request.isForPicture { return picture(at: request.target) }
        do throws(WireError) {
            let base = "http://\(request.fields[.host] ?? "127.0.0.1")"
            let answer = try library.answer(to: request.target, base: base)
            var response = Response.json(
                Array(answer.json.text.utf8),
                // The upstream's fields, which allow neither storing nor revalidation.
                fields: [
                    .cacheControl: "no-cache, no-store, must-revalidate", .vary: "Origin, Authorization",
                    .accessControlExposeHeaders: "Link,X-Total,X-Per-Page,X-RateLimit-Limit,X-RateLimit-Remaining",
                ]
            )
            guard let page = answer.page else { return .now(response) }
            response.fields[.xTotal] = String(page.total)
            response.fields[.xPerPage] = String(page.size)
            response.fields[.link] = page.link(base: base, path: request.target.path, WireQuery(request.target))
            return .now(response)
        } catch {
            return .now(error.response)
        }
    }

    private func picture(at target: Target) -> Reply {
        guard let picture = library.picture(at: target) else { return .now(WireError.notFound("Photo").response) }
        return .later {
            do throws(UpstreamError) {
                return Response(
                    fields: [.contentType: "image/png", .cacheControl: "public, max-age=31536000"],
                    content: .bytes(try await library.file(of: picture))
                )
            } catch {
                guard error == .overloaded else { throw CancellationError() }
                var response = Response.text("Too many pictures are being drawn", status: .serviceUnavailable)
                response.fields[.retryAfter] = "2"
                response.fields[.cacheControl] = "no-store"
                return response
            }
        }
    }
}

extension Request {
    /// Whether the upstream answers the request from its image host.
    package var isForPicture: Bool { target.path.hasPrefix("/images/") }

    /// The key, from `Authorization: Client-ID …` (or a member's `Bearer …`), or from the query.
    package var libraryKey: String? {
        guard let field = fields[.authorization] else { return WireQuery(target)["client_id"] }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, ["client-id", "bearer"].contains(parts[0].lowercased()) else { return "" }
        return String(parts[1])
    }
}

/// The upstream's hourly limit, which is reset at every full hour of the clock; pictures do not count.
package final class RateLimit: Sendable {
    let limit: Int
    private let state = Lock((hour: Int.min, used: 0))

    /// Allows a number of calls an hour; nil for that of the upstream's staging hosts.
    package init(callsPerHour: Int?) {
        limit = callsPerHour ?? 99_999_999
    }

    /// Counts a call at `now`, a Unix time in seconds: returns the calls left, or nil beyond the limit.
    func admit(at now: Int) -> Int? {
        state.withLock { state in
            if state.hour != now / 3600 { state = (now / 3600, 0) }
            guard state.used < limit else { return nil }
            state.used += 1
            return limit - state.used
        }
    }

    /// The answer beyond the limit: plain text, where every other error is JSON.
    package static var refusal: Response {
        var response = Response.text("Rate Limit Exceeded", type: "text/html; charset=utf-8", status: .forbidden)
        response.fields[.cacheControl] = "no-cache"
        return response
    }
}

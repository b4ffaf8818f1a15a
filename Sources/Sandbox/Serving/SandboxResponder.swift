package import HTTPExchange
import HTTPTypes
import Primitives
import Synchronization

/// Answers as the upstream does: counts the request, checks key and hourly limit, and applies the faults.
///
/// It is not an `Application`, because the refusals of that are problems, and the upstream has its own errors.
package struct SandboxResponder: Responder {
    let router: Router
    let faults: FaultInjector
    let counters: RequestCounters
    let rateLimit: RateLimit
    /// Unix time, in seconds.
    let now: @Sendable () -> Int
    let logger: ContextLogger

    package func respond(to request: Request, memory: RequestMemory) -> Reply {
        let pathClass = PathClass(request.target)
        guard pathClass != .control else { return route(request, isControl: true) }
        let counted = counters.begin(pathClass)
        var limitFields: Fields = [:]
        var reply: Reply
        do throws(WireError) {
            if try admit(request, pathClass, &limitFields) {
                let faults = faults.consume(pathClass, request.target)
                reply = FaultyReply(faults: faults, pathClass: pathClass, request: counted).reply { route(request) }
            } else {
                reply = .now(RateLimit.refusal)
            }
        } catch {
            reply = .now(error.response)
        }
        return finish(reply, limitFields, request, pathClass, counted)
    }

    package func response(to refusal: Refusal, of request: Request) -> Response {
        WireError(status: .badRequest, message: "\(refusal)").response
    }

    /// Checks the key and counts the request against the hourly limit; false if that is exhausted.
    private func admit(_ request: Request, _ pathClass: PathClass, _ fields: inout Fields) throws(WireError) -> Bool {
        let key = key(of: request)
        guard pathClass.isAPI else {
            if key != nil { counters.update { $0.imagesWithKey += 1 } }
            return true
        }
        guard let key, !key.isEmpty else { throw .invalidToken }
        let (isAdmitted, limit, remaining) = rateLimit.admit(at: now())
        if !isAdmitted { counters.update { $0.rateLimited += 1 } }
        // On successes and errors alike.
        fields = [.xRateLimitLimit: String(limit), .xRateLimitRemaining: String(remaining)]
        return isAdmitted
    }

    /// The key, from `Authorization: Client-ID …` (or a member's `Bearer …`), or from the query.
    private func key(of request: Request) -> String? {
        guard let field = request.fields[.authorization] else { return WireQuery(request.target)["client_id"] }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, ["client-id", "bearer"].contains(parts[0].lowercased()) else { return "" }
        return String(parts[1])
    }

    private func route(_ request: Request, isControl: Bool = false) -> Reply {
        let match = router.match(request.method, request.target)
        do {
            guard let route = match.route else {
                if isControl { throw Problem.notFound(request.target) }
                throw WireError.notFound("Page")
            }
            if isControl { try request.requireLoopbackHost() }
            let context = Context(requestID: "sandbox", match: match, started: .now, logger: logger)
            return try route.handler(request, context)
        } catch let error as WireError {
            return .now(error.response)
        } catch let problem as Problem {
            return .now(problem.response(instance: "sandbox"))
        } catch {
            preconditionFailure("handlers throw the upstream's errors or problems, not \(error)")
        }
    }

    /// Adds the fields of the limit, and ends the request when its answer is sent.
    private func finish(
        _ reply: Reply,
        _ limitFields: Fields,
        _ request: Request,
        _ pathClass: PathClass,
        _ counted: CountedRequest
    ) -> Reply {
        let finish = { @Sendable (response: Response) -> Response in
            var response = response
            for field in limitFields { response.fields[field.name] = field.value }
            if case .stream = response.content { return response }
            if pathClass == .images, request.method != .head, let source = response.content.source {
                // A stream detects a client that disconnects, which is an aborted download.
                response.content = .stream(PacedContent(source, request: counted))
            } else {
                counted.end(isAborted: false)
            }
            return response
        }
        switch reply {
        case .now(let response): return .now(finish(response))
        case let promised:
            return .later {
                do {
                    return finish(try await promised.value())
                } catch {
                    counted.end(isAborted: true)
                    throw error
                }
            }
        }
    }
}

/// The upstream's hourly limit, which is reset at every full hour of the clock; pictures do not count.
final class RateLimit: Sendable {
    private struct State {
        var hour = Int.min
        var used = 0
    }

    /// Requests an hour; nil for no limit.
    private let limit: Int?
    private let state = Lock(State())

    init(limit: Int?) {
        self.limit = limit
    }

    /// Counts a request at `now`, a Unix time in seconds.
    func admit(at now: Int) -> (isAdmitted: Bool, limit: Int, remaining: Int) {
        guard let limit else { return (true, Self.unlimited, Self.unlimited) }
        return state.withLock { state in
            if state.hour != now / 3600 { state = State(hour: now / 3600, used: 0) }
            guard state.used < limit else { return (false, limit, 0) }
            state.used += 1
            return (true, limit, limit - state.used)
        }
    }

    /// The answer beyond the limit: plain text, where every other error is JSON.
    static var refusal: Response {
        var response = Response.text("Rate Limit Exceeded", type: "text/html; charset=utf-8", status: .forbidden)
        response.fields[.cacheControl] = "no-cache"
        return response
    }

    /// The limit that the upstream's staging hosts name when they have none.
    private static let unlimited = 99_999_999
}

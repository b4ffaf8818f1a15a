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
        let key = key(of: request)
        var limitFields: Fields = [:]
        let reply: Reply
        if pathClass.isAPI, key?.isEmpty ?? true {
            reply = .now(WireError.invalidToken.response)
        } else if pathClass.isAPI, !rateLimit.admits(at: now(), &limitFields) {
            counters.update { $0.rateLimited += 1 }
            reply = .now(RateLimit.refusal)
        } else {
            if !pathClass.isAPI, key != nil { counters.update { $0.imagesWithKey += 1 } }
            let faults = faults.consume(pathClass, request.target)
            reply = FaultyReply(faults: faults, pathClass: pathClass, request: counted).reply { route(request) }
        }
        let hasPicture = pathClass == .images && request.method != .head
        return reply.map { [limitFields] response in
            var response = response
            for field in limitFields { response.fields[field.name] = field.value }
            if case .stream = response.content { return response }
            if hasPicture, let source = response.content.source {
                // A stream detects a client that disconnects, which is an aborted download.
                response.content = .stream(PacedContent(source, request: counted))
            } else {
                counted.end(isAborted: false)
            }
            return response
        }
    }

    package func response(to refusal: Refusal, of request: Request, memory: RequestMemory?) -> Response {
        WireError(status: .badRequest, message: "\(refusal)").response
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
}

/// The upstream's hourly limit, which is reset at every full hour of the clock; pictures do not count.
final class RateLimit: Sendable {
    private let limit: Int
    private let state = Lock((hour: Int.min, used: 0))

    /// Allows a number of requests an hour; nil for that of the upstream's staging hosts.
    init(limit: Int?) {
        self.limit = limit ?? 99_999_999
    }

    /// Counts a request at `now`, a Unix time in seconds; `fields` are for successes and errors alike.
    func admits(at now: Int, _ fields: inout Fields) -> Bool {
        let (used, isAdmitted) = state.withLock { state in
            if state.hour != now / 3600 { state = (now / 3600, 0) }
            let isAdmitted = state.used < limit
            if isAdmitted { state.used += 1 }
            return (state.used, isAdmitted)
        }
        fields = [.xRateLimitLimit: "\(limit)", .xRateLimitRemaining: "\(limit - used)"]
        return isAdmitted
    }

    /// The answer beyond the limit: plain text, where every other error is JSON.
    static var refusal: Response {
        var response = Response.text("Rate Limit Exceeded", type: "text/html; charset=utf-8", status: .forbidden)
        response.fields[.cacheControl] = "no-cache"
        return response
    }
}

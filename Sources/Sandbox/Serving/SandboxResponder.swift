package import HTTPExchange
import HTTPTypes
import Logging

/// Answers as the upstream does: counts, asks for the key, keeps the hour's limit, and lets the faults happen.
///
/// Not an `Application`: that one speaks in this service's problems, and here every refusal has the upstream's words.
package struct SandboxResponder: Responder {
    let router: Router
    let library: LibraryState
    let counters: Counters
    let rateLimit: RateLimit
    /// The keys that are known; nil for any.
    let accessKeys: Set<String>?
    let logger: Logger

    package func respond(to request: Request) -> Reply {
        let pathClass = PathClass(request.target)
        guard pathClass != .control else { return control(request) }
        let ticket = counters.begin(pathClass)
        do throws(WireError) {
            let (admission, isAdmitted) = try admit(request, pathClass)
            guard isAdmitted else { return sent(.now(RateLimit.refusal), admission, request, pathClass, ticket) }
            let kinds = library.faults.take(pathClass, request.target)
            let reply = try FaultyReply(kinds: kinds, pathClass: pathClass, ticket: ticket).reply {
                () throws(WireError) in
                do throws(WireError) {
                    return try route(request)
                } catch {
                    return .now(error.response)
                }
            }
            return sent(reply, admission, request, pathClass, ticket)
        } catch {
            return sent(.now(error.response), [:], request, pathClass, ticket)
        }
    }

    package func answer(to refusal: Refusal, of request: Request) -> Response {
        WireError.response(.badRequest, ["\(refusal)"])
    }

    /// Whether the request may go on, and the fields that its answer gets for it.
    private func admit(_ request: Request, _ pathClass: PathClass) throws(WireError) -> (Fields, isAdmitted: Bool) {
        let key = key(of: request)
        guard pathClass.isAPI else {
            if key != nil { counters.note { $0.imagesWithKey += 1 } }
            return ([:], true)
        }
        guard let key, !key.isEmpty, accessKeys?.contains(key) ?? true else { throw .invalidToken }
        let decision = rateLimit.take(at: library.time)
        if !decision.isAdmitted { counters.note { $0.rateLimited += 1 } }
        return (decision.fields, decision.isAdmitted)
    }

    /// The key, from `Authorization: Client-ID …` (or a member's `Bearer …`), or from the query.
    private func key(of request: Request) -> String? {
        guard let field = request.fields[.authorization] else { return WireQuery(request.target)["client_id"] }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, ["client-id", "bearer"].contains(parts[0].lowercased()) else { return "" }
        return String(parts[1])
    }

    private func route(_ request: Request) throws(WireError) -> Reply {
        let match = router.match(request.method, request.target)
        guard let route = match.route else { throw .notFound("Page") }
        let context = Context(requestID: "sandbox", match: match, started: .now, client: request.peer, logger: logger)
        do {
            return try route.handler(request, context)
        } catch let error as WireError {
            throw error
        } catch {
            preconditionFailure("handlers of the upstream's paths throw its errors, not \(error)")
        }
    }

    private func control(_ request: Request) -> Reply {
        let match = router.match(request.method, request.target)
        do {
            guard let route = match.route else { throw Problem.notFound(request.target) }
            return try route.handler(
                request,
                Context(requestID: "sandbox", match: match, started: .now, logger: logger)
            )
        } catch let problem as Problem {
            return .now(problem.response(instance: "sandbox"))
        } catch {
            preconditionFailure("handlers of the switches throw problems, not \(error)")
        }
    }

    /// Adds the fields of the limit, and closes the ticket when the answer is sent.
    private func sent(_ reply: Reply, _ fields: Fields, _ request: Request, _ pathClass: PathClass, _ ticket: Ticket)
        -> Reply
    {
        let finish = { @Sendable (response: Response) -> Response in
            var response = response
            for field in fields { response.fields[field.name] = field.value }
            if case .stream = response.content { return response }
            if pathClass == .images, request.method != .head, let source = response.content.source {
                // Pictures are worth knowing the end of: a reader that leaves is an aborted download.
                response.content = .stream(SandboxContent(source, ticket: ticket))
            } else {
                ticket.end(aborted: false)
            }
            return response
        }
        switch reply {
        case .now(let response): return .now(finish(response))
        case .later(let work):
            return .later {
                do {
                    return finish(try await work())
                } catch {
                    ticket.end(aborted: true)
                    throw error
                }
            }
        }
    }
}

import HTTPTypes
package import Logging

/// A router, its middleware and the wording of errors: everything between a request and its reply, without a socket.
package struct Application: Responder {
    private let router: Router
    private let middleware: [any Middleware]
    private let problem: @Sendable (any Error) -> Problem?
    private let makeRequestID: @Sendable () -> String
    private let logger: Logger

    /// - Parameters:
    ///   - middleware: outermost first.
    ///   - problem: words an error of the domain; nil for one that nobody foresaw, which is logged and answered 500.
    ///   - makeRequestID: makes an id for a request; a middleware may take over the client's.
    package init(
        router: Router,
        middleware: [any Middleware] = [],
        logger: Logger,
        makeRequestID: @escaping @Sendable () -> String,
        problem: @escaping @Sendable (any Error) -> Problem?
    ) {
        self.router = router
        self.middleware = middleware
        self.logger = logger
        self.makeRequestID = makeRequestID
        self.problem = problem
    }

    package func respond(to request: Request) -> Reply {
        run(request, match: router.match(request.method, request.target)) { request, context in
            switch context.match.outcome {
            case .found(let route): try route.handler(request, context)
            case .options(let allow):
                .now(Response(status: .noContent, fields: [.allow: allow]))
            case .methodNotAllowed(let allow): throw Problem.methodNotAllowed(request.method, allow: allow)
            case .methodNotImplemented: throw Problem.methodNotImplemented(request.method)
            case .notFound: throw Problem.notFound(request.target)
            }
        }
    }

    package func answer(to refusal: Refusal, of request: Request) -> Response {
        let reply = run(request, match: router.match(request.method, request.target)) { _, _ in throw refusal }
        guard case .now(let response) = reply else { preconditionFailure("a thrown refusal is answered at once") }
        return response
    }

    /// Takes a request through the middleware to `handler` and its answer back.
    private func run(_ request: Request, match: RouteMatch, handler: Handler) -> Reply {
        var request = request
        var context = Context(
            requestID: makeRequestID(),
            match: match,
            started: .now,
            client: request.peer,
            logger: logger
        )
        var entered = 0
        do {
            for step in middleware {
                entered += 1
                if let response = try step.incoming(&request, &context) {
                    return .now(leave(response, request, context, from: entered))
                }
            }
            switch try handler(request, context) {
            case .now(let response):
                return .now(leave(response, request, context, from: entered))
            case .later(let work):
                return .later { [request, context, entered] in
                    let response: Response
                    do {
                        response = try await work()
                    } catch {
                        response = answer(to: error, context)
                    }
                    return leave(response, request, context, from: entered)
                }
            }
        } catch {
            return .now(leave(answer(to: error, context), request, context, from: entered))
        }
    }

    private func leave(_ response: Response, _ request: Request, _ context: Context, from entered: Int) -> Response {
        var response = response
        for step in middleware.prefix(entered).reversed() { step.outgoing(&response, request, context) }
        return response
    }

    /// Words an error. The words of one that nobody foresaw stay in the log: they may name what clients must not see.
    private func answer(to error: any Error, _ context: Context) -> Response {
        let known = error as? Problem ?? (error as? Refusal).map(Problem.init(refusal:)) ?? problem(error)
        if let known { return known.response(instance: context.requestID) }
        context.logger.error("unforeseen error", metadata: ["error": "\(error)"])
        return Problem.internalError.response(instance: context.requestID)
    }
}

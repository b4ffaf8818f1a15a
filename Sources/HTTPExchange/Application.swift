import HTTPTypes
package import Logging
package import Primitives

/// Responds to requests with a router, middleware and a mapping of errors to problems, without a socket.
package struct Application: Responder {
    private let router: Router
    private let middleware: [any Middleware]
    private let problem: @Sendable (any Error) -> Problem?
    private let makeRequestID: @Sendable () -> String
    private let now: @Sendable () -> Instant
    private let logger: ContextLogger

    /// Creates an application; the outermost middleware is first.
    ///
    /// `makeRequestID` creates the id of a request, instead of which a middleware may use the client's. `problem`
    /// converts an error of the domain; nil is an unexpected one, which is logged and answered 500.
    package init(
        router: Router,
        middleware: [any Middleware] = [],
        logger: Logger,
        makeRequestID: @escaping @Sendable () -> String,
        now: @escaping @Sendable () -> Instant = { .now },
        problem: @escaping @Sendable (any Error) -> Problem?
    ) {
        self.router = router
        self.middleware = middleware
        self.logger = ContextLogger(logger)
        self.makeRequestID = makeRequestID
        self.now = now
        self.problem = problem
    }

    package func respond(to request: Request, memory: RequestMemory) -> Reply {
        var context = context(for: request, memory)
        var entered = 0
        do {
            while entered < middleware.count {
                entered += 1
                if var response = try middleware[entered - 1].incoming(request, &context) {
                    leave(&response, request, &context, from: entered)
                    return .now(response)
                }
            }
            context.isHandled = context.route != nil
            switch try dispatch(request, context) {
            case .now(var response):
                leave(&response, request, &context, from: entered)
                return .now(response)
            case .later(let work):
                memory.identity = RequestMemory.Identity(requestID: context.requestID, trace: context.trace)
                return .later { [context] in
                    do {
                        return finish(.success(try await work()), request, context)
                    } catch {
                        return finish(.failure(error), request, context)
                    }
                }
            }
        } catch {
            var response = problemResponse(for: error, context)
            leave(&response, request, &context, from: entered)
            return .now(response)
        }
    }

    /// Passes a refused request through the middleware.
    ///
    /// So its response has the usual fields, and is logged and counted. No middleware can replace the response. Its span is
    /// that of the work which it ends, and which may have sent it to others.
    package func response(to refusal: Refusal, of request: Request, memory: RequestMemory?) -> Response {
        var context = context(for: request, request.unlimitedMemory)
        if let identity = memory?.identity {
            context.requestID = identity.requestID
            context.trace = identity.trace
        }
        var entered = 0
        while entered < middleware.count {
            entered += 1
            do {
                if try middleware[entered - 1].incoming(request, &context) != nil { break }
            } catch {
                break
            }
        }
        var response = problemResponse(for: refusal, context)
        leave(&response, request, &context, from: entered)
        return response
    }

    package func isOperation(_ request: Request) -> Bool {
        router.match(request.method, request.target).route?.isOperation ?? false
    }

    private func context(for request: Request, _ memory: RequestMemory) -> Context {
        Context(
            requestID: makeRequestID(),
            match: router.match(request.method, request.target),
            started: now(),
            memory: memory,
            logger: logger
        )
    }

    /// Calls the route's handler.
    ///
    /// - Throws: `Problem` if no route matches, and the errors of the handler.
    private func dispatch(_ request: Request, _ context: Context) throws -> Reply {
        switch context.match.outcome {
        case .found(let route):
            try route.admit(request)
            let reply = try route.handler(request, context)
            return route.produces.count > 1 ? reply.map { $0.varying(by: .accept) } : reply
        case .options(let allow): return .now(Response(status: .noContent, fields: [.allow: allow]))
        case .methodNotAllowed(let allow): throw Problem.methodNotAllowed(request.method, allow: allow)
        case .malformedPath(let parameter): throw Problem.malformedPath(parameter: parameter)
        case .notFound: throw Problem.notFound(request.target)
        }
    }

    /// Passes a promised response, or the problem of an error, through the middleware.
    ///
    /// It is not inlined: the task of the work would have memory for these variables while it waits.
    @inline(never)
    private func finish(
        _ result: consuming Result<Response, any Error>,
        _ request: Request,
        _ context: Context
    ) -> Response {
        var context = context
        context.isRefused = context.memory.isRefused
        var response: Response
        switch consume result {
        case .success(let promised): response = promised
        case .failure(let error): response = problemResponse(for: error, context)
        }
        leave(&response, request, &context, from: middleware.count)
        return response
    }

    /// Passes a response through the middleware that the request has entered, in reverse order.
    private func leave(_ response: inout Response, _ request: Request, _ context: inout Context, from entered: Int) {
        context.elapsed = now() - context.started
        var remaining = entered
        while remaining > 0 {
            remaining -= 1
            middleware[remaining].outgoing(&response, request, context)
        }
    }

    /// Converts an error to a response.
    ///
    /// The text of an unexpected error is logged and not sent, because it may contain secrets.
    private func problemResponse(for error: any Error, _ context: Context) -> Response {
        let problem: Problem
        switch error {
        case let known as Problem: problem = known
        case let refusal as Refusal: problem = Problem(refusal: refusal)
        case let error:
            if let known = self.problem(error) {
                problem = known
            } else if error is CancellationError {
                problem = .cancelled
            } else {
                context.logger.error("unexpected error", metadata: ["error": "\(error)"])
                problem = .internalError
            }
        }
        return problem.response(instance: context.requestID)
    }
}

/// A rule for many routes, in two steps: one for the request and one for the response.
///
/// Two functions instead of a closure around the next middleware: a step costs a call, the chain is a list, and the
/// second step is the same for immediate and asynchronous responses. If `incoming` was called, `outgoing` is called too,
/// in reverse order.
package protocol Middleware: Sendable {
    /// Changes the context, or returns a response instead of the handler's; errors are converted to problems.
    ///
    /// The request does not change; facts about it are stored in the context.
    func incoming(_ request: Request, _ context: inout Context) throws -> Response?

    /// Changes the response.
    func outgoing(_ response: inout Response, _ request: Request, _ context: Context)
}

extension Middleware {
    package func incoming(_ request: Request, _ context: inout Context) throws -> Response? { nil }
    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {}
}

import BarFeature
package import HTTPExchange
import JSON
package import Logging
import Motion
import MotionFeature
import PhotoLibrary
import Photos
import StoredBytes

/// Creates the application: its routes, its middleware and the conversion of errors.
package enum SpringbarApplication {
    /// Returns the application for `routes`; without `accessLog` the logger writes the access log.
    package static func make(
        routes: [Route],
        configuration: Configuration,
        metrics: PrometheusRegistry,
        logger: Logger,
        accessLog: (@Sendable (AccessRecord) -> Void)? = nil
    ) -> Application {
        let router = Router(routes: routes)
        let numbers = UniqueNumbers()
        let requests = RequestMetrics(router: router)
        metrics.observe(requests)
        let dropIn = DropInProblems(below: "/unsplash")
        // Outermost first: requests that a later step refuses are logged and counted too.
        var steps: [any Middleware] = [
            RequestIdentity(makeSpanID: { numbers.next() }), AccessLog(write: accessLog), requests,
            dropIn,
        ]
        if let hosts = configuration.allowedHosts {
            let hint = "SPRINGBAR_ALLOWED_HOSTS allows others: names, separated by commas, or * for any."
            steps.append(AllowedHosts(hosts, hint: hint))
        }
        let origins = configuration.access.corsOrigins
        if !origins.isEmpty { steps.append(CrossOrigin(origins: origins)) }
        if let rate = configuration.access.clientRate { steps.append(ClientRate(perSecond: rate)) }
        if !configuration.access.tokens.isEmpty {
            let tokens = configuration.access.tokens.map(\.text)
            steps.append(BearerTokens(tokens: tokens, prefixes: ["/v1/", "/unsplash/"]))
        }
        steps += [ResponseBudget(), ConditionalRequests()] as [any Middleware]
        steps.append(NotFoundPage(publicURL: configuration.server.publicURL?.description, except: dropIn.covers))
        return Application(
            router: router,
            middleware: steps,
            logger: logger,
            makeRequestID: { numbers.nextID() },
            problem: { Problem(of: $0) }
        )
    }
}

extension Problem {
    /// Converts an error of a module to a problem, as all errors are converted here; nil for an unknown error.
    init?(of error: any Error) {
        switch error {
        case let error as JSONError: self.init(json: error)
        case let error as BarSessionError: self.init(error)
        // The bytes of a bar in a store.
        case is StoredBytesError: self.init(BarSessionError.unavailable)
        case let error as MotionError: self.init(error)
        case let error as UpstreamError: self.init(error)
        case let error as FetchNotAllowed: self.init(error)
        default: return nil
        }
    }
}

extension Problem.Kind {
    /// All kinds of problems of this service, the generic ones first.
    package static let service = generic + bars + motion + photos
}

package import CoreMetrics
package import HTTPExchange
package import Logging
package import Primitives

/// Puts the service together: the routes, the rules that hold for many of them, the wording of errors.
package enum SpringbarApplication {
    /// The application that answers `routes` under `configuration`, with answers that fit into `memory`; without an
    /// `accessLog` the logger writes the access log.
    ///
    /// - Throws: `RouteConflict`, which is a bug of ours.
    package static func make(
        routes: Routes,
        configuration: Configuration,
        metrics: any MetricsFactory,
        memory: MemoryBudget = .unlimited,
        logger: Logger,
        accessLog: (any AccessLogSink)? = nil
    ) throws(RouteConflict) -> Application {
        let router = try Router(routes: routes.table)
        let numbers = UniqueNumbers()
        return Application(
            router: router,
            middleware: middleware(router, configuration, metrics, memory, numbers, accessLog),
            logger: logger,
            makeRequestID: { numbers.nextID() },
            problem: { Problem(of: $0) }
        )
    }

    /// The rules that hold for many routes, outermost first.
    ///
    /// Who asks is settled before it is logged; a refused request is logged and counted like any
    /// other; what a client may do is asked before the handler is.
    private static func middleware(
        _ router: Router,
        _ configuration: Configuration,
        _ metrics: any MetricsFactory,
        _ memory: MemoryBudget,
        _ numbers: UniqueNumbers,
        _ accessLog: (any AccessLogSink)?
    ) -> [any Middleware] {
        var steps: [any Middleware] = []
        if !configuration.trustedProxies.isEmpty { steps.append(TrustedProxies(configuration.trustedProxies)) }
        steps.append(RequestIdentity(makeSpanID: { numbers.next() }))
        steps.append(AccessLog(sink: accessLog))
        steps.append(RequestMetrics(router: router, factory: metrics))
        if !configuration.corsOrigins.isEmpty {
            let isOpen = configuration.corsOrigins.contains("*")
            steps.append(CrossOrigin(origins: isOpen ? .any : .only(configuration.corsOrigins)))
        }
        if let rate = configuration.clientRate { steps.append(ClientRate(perSecond: rate)) }
        if !configuration.apiTokens.isEmpty {
            let tokens = configuration.apiTokens.map(\.text)
            steps.append(BearerTokens(tokens: tokens, prefixes: ["/v1/", "/unsplash/"]))
        }
        steps.append(AnswerBudget(memory))
        steps.append(ConditionalRequests())
        return steps
    }
}

package import Primitives

extension Configuration {
    /// What the photo part needs, with an image cache that fits into the container.
    package func photos(_ plan: MemoryPlan, memory: MemoryBudget = .unlimited) -> PhotoService.Configuration {
        PhotoService.Configuration(
            library: usesSandbox ? .sandbox : .unsplash,
            appName: appName,
            imageMode: imageMode == .proxy ? .proxy : .redirect,
            imageCacheBytes: plan.imageCacheBytes,
            rateLimitPerHour: rateLimitPerHour,
            publicURL: publicURL?.description,
            memory: memory
        )
    }
}

extension BarSessions {
    /// The bars of a service, in memory.
    package init(_ configuration: Configuration, _ plan: MemoryPlan, clock: SteadyClock = SteadyClock()) {
        self.init(
            store: MemoryBarStore(
                maxSessions: configuration.maxSessions,
                maxBytes: plan.sessionBytes,
                maxSessionsPerClient: configuration.maxSessionsPerClient,
                now: clock.now
            ),
            ttlSeconds: Int(configuration.sessionTTL.components.seconds),
            now: { clock.now }
        )
    }
}

extension PlaygroundHandlers {
    /// The playground of a service.
    ///
    /// Where a picture's URL answers with a redirect, a browser must be let through to the host that it leads to; the
    /// page's own scheme, or https, goes with a host that names none.
    package init(_ configuration: Configuration) {
        self.init(imageSources: configuration.imageMode == .redirect ? configuration.imageHosts : [])
    }
}

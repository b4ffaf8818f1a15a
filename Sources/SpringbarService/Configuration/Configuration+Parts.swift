extension Configuration {
    /// What the photo part needs, with an image cache that fits into the container.
    ///
    /// A cache that is larger than a quarter of the memory limit is lowered to it: the rest is for what the pictures
    /// are fetched into, and for everything else.
    package func photos(memoryLimit: Int? = MemoryLimit.current) -> PhotoService.Configuration {
        PhotoService.Configuration(
            library: usesSandbox ? .sandbox : .unsplash,
            appName: appName,
            imageMode: imageMode == .proxy ? .proxy : .redirect,
            imageCacheBytes: min(imageCacheBytes, memoryLimit.map { $0 / 4 } ?? .max),
            rateLimitPerHour: rateLimitPerHour,
            publicURL: publicURL?.description
        )
    }
}

extension BarSessions {
    /// The bars of a service, in memory.
    package init(_ configuration: Configuration, clock: SteadyClock = SteadyClock()) {
        self.init(
            store: MemoryBarStore(
                maxSessions: configuration.maxSessions,
                maxBytes: configuration.sessionBytes,
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

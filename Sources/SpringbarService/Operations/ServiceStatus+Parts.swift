extension ServiceStatus.Bars {
    /// The part of the status that the bars know.
    package init(_ statistics: BarStatistics) {
        self.init(sessions: statistics.sessions, maxSessions: statistics.maxSessions)
    }
}

extension ServiceStatus.Photos {
    /// The part of the status that the photos know.
    package init(_ status: PhotoService.Status) {
        self.init(
            library: status.library.rawValue,
            upstream: status.upstream,
            budget: .init(
                limit: status.budgetLimit,
                remaining: status.budgetRemaining,
                resetsInSeconds: Int(status.budgetResets.components.seconds)
            ),
            imageCache: .init(
                entries: status.imageEntries,
                bytes: status.imageBytes,
                maxBytes: status.imageCapacity,
                hits: status.imageHits,
                misses: status.imageMisses
            ),
            imageLoads: .init(running: status.imageLoads, cancelled: status.cancelledImageLoads)
        )
    }
}

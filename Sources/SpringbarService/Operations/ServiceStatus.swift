import JSON

/// The content of `/v1/status`.
package struct ServiceStatus: Sendable {
    package struct Bars: Sendable {
        package var sessions: Int
        package var maxSessions: Int

        package init(sessions: Int, maxSessions: Int) {
            self.sessions = sessions
            self.maxSessions = maxSessions
        }
    }

    package struct Budget: Sendable {
        package var limit: Int
        package var remaining: Int
        package var resetsInSeconds: Int

        package init(limit: Int, remaining: Int, resetsInSeconds: Int) {
            self.limit = limit
            self.remaining = remaining
            self.resetsInSeconds = resetsInSeconds
        }
    }

    package struct ImageCache: Sendable {
        package var entries: Int
        package var bytes: Int
        package var maxBytes: Int
        package var hits: Int
        package var misses: Int

        package init(entries: Int, bytes: Int, maxBytes: Int, hits: Int, misses: Int) {
            self.entries = entries
            self.bytes = bytes
            self.maxBytes = maxBytes
            self.hits = hits
            self.misses = misses
        }
    }

    package struct ImageLoads: Sendable {
        /// Image transfers in progress.
        package var running: Int
        /// Image transfers cancelled because no client waited any more.
        package var cancelled: Int

        package init(running: Int, cancelled: Int) {
            self.running = running
            self.cancelled = cancelled
        }
    }

    package struct Photos: Sendable {
        /// The photo library: `sandbox` or `unsplash`.
        package var library: String
        /// The condition of the upstream: `ok`, `degraded` or `down`.
        package var upstream: String
        package var budget: Budget
        package var imageCache: ImageCache
        package var imageLoads: ImageLoads

        package init(
            library: String,
            upstream: String,
            budget: Budget,
            imageCache: ImageCache,
            imageLoads: ImageLoads
        ) {
            self.library = library
            self.upstream = upstream
            self.budget = budget
            self.imageCache = imageCache
            self.imageLoads = imageLoads
        }
    }

    package var uptime: Duration
    package var isDraining: Bool
    package var bars: Bars
    package var photos: Photos

    package init(uptime: Duration, isDraining: Bool, bars: Bars, photos: Photos) {
        self.uptime = uptime
        self.isDraining = isDraining
        self.bars = bars
        self.photos = photos
    }

    /// Returns the JSON of the status.
    func json() -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.member("version", Version.text)
            json.member("uptimeSeconds", Int(uptime.components.seconds))
            json.member("draining", isDraining)
            json.object("bars") { json in
                json.member("sessions", bars.sessions)
                json.member("maxSessions", bars.maxSessions)
            }
            json.object("photos") { json in
                json.member("library", photos.library)
                json.member("upstream", photos.upstream)
                json.object("budget") { json in
                    json.member("limit", photos.budget.limit)
                    json.member("remaining", photos.budget.remaining)
                    json.member("resetsInSeconds", photos.budget.resetsInSeconds)
                }
                json.object("imageCache") { json in
                    json.member("entries", photos.imageCache.entries)
                    json.member("bytes", photos.imageCache.bytes)
                    json.member("maxBytes", photos.imageCache.maxBytes)
                    json.member("hits", photos.imageCache.hits)
                    json.member("misses", photos.imageCache.misses)
                }
                json.object("imageLoads") { json in
                    json.member("running", photos.imageLoads.running)
                    json.member("cancelled", photos.imageLoads.cancelled)
                }
            }
        }
        return json.bytes
    }
}

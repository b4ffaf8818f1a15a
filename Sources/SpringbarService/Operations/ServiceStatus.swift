package import BarFeature
import JSON
package import Photos
package import Primitives
package import SharedState

package enum ServiceStatus {
    /// Returns the JSON of the status; of `bars` and the shared `store` one is nil.
    package static func json(
        uptime: Duration,
        isDraining: Bool,
        bars: BarStatistics?,
        store: SharedStatus?,
        storeSince: WallTime,
        photos: PhotoService.Status
    ) -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.member("version", Version.text)
            json.member("uptimeSeconds", Int(uptime.components.seconds))
            json.member("draining", isDraining)
            json.object("bars") { json in
                json.member("sessions", bars?.sessions)
                json.member("maxSessions", bars?.maxSessions)
            }
            json.object("store") { json in
                json.member("kind", store == nil ? "memory" : "redis")
                json.member("state", store?.isAvailable == false ? "away" : "up")
                json.member("since", storeSince.rfc3339Seconds)
                json.member("latencyMs", store?.latency.map { $0 / .milliseconds(1) })
                json.member("pending", store?.pending ?? 0)
            }
            json.object("photos") { json in
                json.member("library", photos.library.rawValue)
                json.member("upstream", photos.upstream)
                json.object("budget") { json in
                    json.member("limit", photos.budget.limit)
                    json.member("remaining", photos.budget.remaining)
                    json.member("resetsInSeconds", Int(photos.budget.resets.components.seconds))
                }
                json.object("imageCache") { json in
                    json.member("entries", photos.imageCache.entries)
                    json.member("bytes", photos.imageCache.bytes)
                    json.member("maxBytes", photos.imageCache.capacity)
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

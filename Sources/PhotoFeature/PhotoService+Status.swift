import PhotoFeed
import Primitives
import Synchronization

extension PhotoService {
    /// The state of the photo part, for `/v1/status` and the metrics.
    package struct Status: Sendable {
        package var library: Configuration.Library
        /// `ok`, `degraded` (the last call failed) or `down` (the breaker is open, or the key is refused).
        package var upstream: String
        package var budgetLimit: Int
        package var budgetRemaining: Int
        package var budgetResets: Duration
        package var imageEntries: Int
        package var imageBytes: Int
        package var imageCapacity: Int
        package var imageHits: Int
        package var imageMisses: Int
        /// Pictures that are arriving.
        package var imageLoads: Int
        /// Transfers of pictures that were cancelled because no request waited any more.
        package var cancelledImageLoads: Int
        package var knownPhotos: Int
        /// Fetches that are running.
        package var flights: Int
    }

    /// The records of pages and details that could not be read from the shared store, or not be stored; nil without one.
    package var recordFaults: Int? { shared?.faults }

    package var status: Status {
        let (upstream, limit) = budget.known { gate, _ in (gate.condition.rawValue, gate.budget.limit) }
        let (remaining, resets) = budget.known { gate, now in
            (gate.budget.remaining(now: now), gate.budget.untilReset(now: now))
        }
        let (entries, bytes) = pictures.withLock { ($0.count, $0.cost) }
        return Status(
            library: configuration.library,
            upstream: upstream,
            budgetLimit: limit,
            budgetRemaining: remaining,
            budgetResets: resets,
            imageEntries: entries,
            imageBytes: bytes,
            imageCapacity: configuration.imageCacheBytes,
            imageHits: pictureHits.load(ordering: .relaxed),
            imageMisses: pictureMisses.load(ordering: .relaxed),
            imageLoads: pictureFlights.count,
            cancelledImageLoads: pictureFlights.abandoned,
            knownPhotos: index.withLock(\.count),
            flights: pageFlights.count + detailFlights.count + pictureFlights.count + rawFlights.count
                + senders.count + prefetches.count
        )
    }
}

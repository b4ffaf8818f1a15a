package import PhotoLibrary
package import Primitives
import Synchronization

/// Feeds, details and pictures of the library, with caches and shared fetches.
///
/// `cached…` functions read a cache under a short lock; their asynchronous counterparts fetch. Each cache has its own
/// lock, so that a cached picture does not wait for a page.
package final class PhotoService: Sendable {
    package struct Configuration: Sendable {
        /// The origin of the photos, for `/v1/status`.
        package enum Library: String, Sendable {
            case sandbox, unsplash
        }

        package enum ImageMode: String, CaseIterable, Sendable {
            /// Pictures go through the service and its cache.
            case proxy
            /// Pictures are answered with a redirect to the library.
            case redirect
        }

        package var library: Library
        /// `utm_source` of the attribution links.
        package var appName = "springbar"
        package var imageMode = ImageMode.proxy
        package var imageCacheBytes = 64 << 20
        /// The limit of answers, rendered pages and photos: the photos have one half.
        package var answerCacheBytes = 40 << 20
        package var rateLimitPerHour = 50
        /// The base URL of the service, without a slash at its end; nil for the Host of each request.
        package var publicURL: String?
        /// The origins of pages that may cause fetches from other sites, as browsers write them; `*` is any.
        package var allowedOrigins: [String] = []
        /// The signatures of picture links, if tokens are required.
        package var signatures = LinkSignatures.none
        /// The budget for download reports.
        package var memory = MemoryBudget.unlimited

        package init(library: Library) {
            self.library = library
        }
    }

    package let configuration: Configuration
    let library: any Library
    /// The answers that replicas share; nil if this process has its own.
    let shared: AnswerStore?
    let environment: LibraryCache.Environment

    let answers: LibraryCache
    let feeds: Lock<FeedLibrary>
    let pictures: Lock<BoundedCache<PictureKey, CachedPicture>>
    let pictureHits = Atomic(0)
    let pictureMisses = Atomic(0)
    let failures = Lock(FailureMemory<PictureKey>())
    let reports = Lock(ReportQueue())
    /// The places in the queue of reports that each client has.
    let reportShares = ClientShares(limit: ReportQueue.capacity / 2)
    let renderedPages: Lock<BoundedCache<RenderedPage.Key, RenderedPage>>

    let pictureFlights = Flights<PictureKey, PictureDownload, CachedPicture>()
    /// The running fetches of pictures that each client has started.
    let pictureShares = ClientShares(limit: PhotoService.picturesPerClient)
    /// Senders of download reports, by a number each.
    let senders = Flights<UInt64, Void, Void>()
    /// Batches of prefetches, by a number each.
    let prefetches = Flights<UInt64, Void, Void>()
    /// The batches of prefetches that each client has started.
    let prefetchShares = ClientShares(limit: PhotoService.batches / 2)

    /// Creates the service; without `shared` it has a budget and answers of its own.
    package init(
        _ configuration: Configuration,
        library: any Library,
        shared: AnswerStore? = nil,
        environment: LibraryCache.Environment = .init()
    ) {
        self.configuration = configuration
        self.library = library
        self.shared = shared
        self.environment = environment
        // Feeds, the index, the answers of the library and rendered pages have a quarter each.
        let quarter = configuration.answerCacheBytes / 4
        renderedPages = Lock(BoundedCache(capacity: quarter, largestShare: 0.1))
        feeds = Lock(FeedLibrary(capacity: quarter))
        pictures = Lock(BoundedCache(capacity: configuration.imageCacheBytes, largestShare: 0.1))
        answers = LibraryCache(
            library,
            shared: shared,
            callsPerHour: configuration.rateLimitPerHour,
            bytes: quarter,
            environment
        )
    }

    /// Cancels every fetch; later ones are refused.
    package func stop() async {
        await senders.stop()
        await prefetches.stop()
        await answers.stop()
        await pictureFlights.stop()
    }

    /// The fetches of pictures that a client may have started: more than for a page of 30 photos.
    ///
    /// The library's client runs 24 at once and has the others wait, in the order of their arrival.
    private static let picturesPerClient = 32

    var now: Instant { environment.now() }

    var clock: SteadyClock { environment.clock }
}

extension PhotoService {
    /// The state of the photo part, for `/v1/status` and the metrics.
    package struct Status: Sendable {
        package var library: Configuration.Library
        /// `ok`, `degraded` (the last call failed) or `down` (the breaker is open, or the key is refused).
        package var upstream: String
        package var budget: (limit: Int, remaining: Int, resets: Duration)
        package var imageCache: (entries: Int, bytes: Int, capacity: Int, hits: Int, misses: Int)
        /// Pictures that are arriving, and transfers that were cancelled because no request waited any more.
        package var imageLoads: (running: Int, cancelled: Int)
        package var knownPhotos: Int
        package var flights: Int
    }

    /// The requests that wait for a fetch.
    package var waiters: Int { answers.waiters + pictureFlights.waiters }

    /// The answers that could not be read from the shared store, or not be stored; nil without one.
    package var recordFaults: Int? { shared?.faults }

    package var status: Status {
        let hour = answers.budget.hour
        let (hits, misses) = (pictureHits.load(ordering: .relaxed), pictureMisses.load(ordering: .relaxed))
        return Status(
            library: configuration.library,
            upstream: answers.budget.condition.rawValue,
            budget: (hour.limit, hour.remaining, hour.untilReset(now: now)),
            imageCache: pictures.withLock { ($0.count, $0.cost, $0.capacity, hits, misses) },
            imageLoads: (pictureFlights.count, pictureFlights.abandoned),
            knownPhotos: answers.knownCount,
            flights: answers.count + pictureFlights.count + senders.count + prefetches.count
        )
    }
}

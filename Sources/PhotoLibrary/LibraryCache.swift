package import Primitives
import Synchronization

/// The one way to the library's API: an answer is fetched once for all that ask for its target.
///
/// An answer comes from memory, else from the other replicas, else from the library, if its last failures, the breaker and
/// the budget allow a call. Feeds, details and the drop-in read the same answers; their photos then cost no call.
package final class LibraryCache: Sendable {
    /// A target, and the answers to it that may be used.
    package struct Request: Sendable {
        let target: String
        /// The least time of the call; then the answer may be stale.
        var notBefore: Instant?

        package init(target: String, notBefore: Instant? = nil) {
            self.target = target
            self.notBefore = notBefore
        }

        var freshness: Freshness { PhotoPayload.isList(target) ? .lists : .details }

        func accepts(_ answer: Answer, at now: Instant) -> Bool {
            let state = freshness.state(age: now - answer.fetched)
            return isLate(answer) && (state == .fresh || notBefore != nil && state == .stale)
        }

        /// Whether the call was made at the least time or after it.
        func isLate<Value>(_ answer: Timestamped<Value>) -> Bool {
            notBefore.map { (answer.called ?? answer.fetched) + LibraryCache.clockError >= $0 } ?? true
        }
    }

    /// Clock and randomness, which tests replace.
    package struct Environment: Sendable {
        package var now: @Sendable () -> Instant = { .now }
        /// The time of day, by which cursors and replicas compare the ages of pages, and that of the hours of the budget.
        package var wallTime: @Sendable () -> WallTime = { .now }
        package var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
        /// Sleeps after a failed download report.
        package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

        package init() {}

        /// The time of day at moments of this process.
        package var clock: SteadyClock { SteadyClock(origin: wallTime(), start: now()) }
    }

    package typealias Answer = Timestamped<LibraryAnswer>
    /// An answer of a call, and the photos in it.
    typealias Fetched = (answer: Answer, photos: [Photo])
    package typealias Served<Value> = (answer: Timestamped<Value>, status: CacheStatus)

    /// Times of day are read in milliseconds, at two moments.
    package static let clockError = Duration.milliseconds(5)

    package let budget: CallBudget
    private let library: any Library
    /// Nil if this process has answers of its own.
    let shared: AnswerStore?
    let environment: Environment
    private let memory: Lock<BoundedCache<String, Answer>>
    /// The photos of the latest answers.
    let index: Lock<PhotoIndex>
    private let failures = Lock(FailureMemory<String>())
    private let flights = Flights<String, Void, Answer>()

    /// Answers have at most `bytes`, and so has the index of their photos.
    package init(
        _ library: any Library,
        shared: AnswerStore?,
        callsPerHour: Int,
        bytes: Int,
        _ environment: Environment
    ) {
        self.library = library
        self.shared = shared
        self.environment = environment
        memory = Lock(BoundedCache(capacity: bytes, largestShare: 0.1))
        index = Lock(PhotoIndex(capacity: bytes))
        let hourEnds = environment.now() + .seconds(3600 - environment.wallTime().milliseconds / 1000 % 3600)
        budget = CallBudget(shared?.store, limit: callsPerHour, hourEnds: hourEnds, now: environment.now)
    }

    /// The number of running fetches.
    package var count: Int { flights.count }

    /// The number of requests that wait for one.
    package var waiters: Int { flights.waiters }

    /// Whether the current task may cause calls of the library and transfers of pictures; true unless set.
    @TaskLocal package static var mayFetch = true

    /// Refuses a task that may cause no fetch; called before each fetch for a request.
    package static func requireFetch() throws(FetchNotAllowed) { if !mayFetch { throw FetchNotAllowed() } }

    /// Cancels every fetch; later ones are refused.
    package func stop() async { await flights.stop() }

    // MARK: Answers of any age

    /// Returns the answer to a request: fresh, or stale if the library fails.
    package func answer(_ request: Request) async throws -> Served<LibraryAnswer> {
        let old = kept(request.target)
        if let hit = cached(old, request) { return hit }
        return try await fetched(request.freshness, else: { old }) { try await fetch(request) }
    }

    /// The answer to a target in memory, of any age.
    func kept(_ target: String) -> Answer? { memory.withLock { $0.value(for: target) } }

    /// Keeps an answer under a target, in memory of its own size.
    func keep(_ answer: Answer, for target: String) {
        var answer = answer
        // The content was collected in a buffer of up to 16 KiB or twice its size, which the cost does not count.
        answer.value.content = answer.value.content.withUnsafeBufferPointer { Array($0) }
        let cost = answer.value.content.count + 2 * target.utf8.count + 512
        memory.withLock { _ = $0.insert(answer, for: target, cost: cost) }
    }

    /// Remembers photos, which then cost no call.
    package func merge(_ photos: [Photo], fetched: Instant) {
        index.withLock { index in
            for photo in photos { index.merge(photo, fetched: fetched) }
        }
    }

    /// Returns a value from memory while it is fresh, or while it is stale and is fetched again in the background.
    func cached<Value>(_ cached: Timestamped<Value>?, _ request: Request) -> Served<Value>? {
        // A request that may cause no fetch gets no better one.
        let isOnly = !Self.mayFetch
        guard let cached, isOnly || request.isLate(cached) else { return nil }
        switch request.freshness.state(age: environment.now() - cached.fetched) {
        case .fresh: break
        case .stale:
            var newer = request
            newer.notBefore = nil
            refresh(newer)
        case .onlyIfError where isOnly: break
        case .onlyIfError, .expired: return nil
        }
        return (cached, .hit)
    }

    /// Returns a value from a fetch; if that fails, the one in memory unless it has expired.
    func fetched<Value>(
        _ freshness: Freshness,
        else known: () -> Timestamped<Value>?,
        fetch: () async throws -> Served<Value>
    ) async throws -> Served<Value> {
        do {
            return try await fetch()
        } catch let error as UpstreamError where error.allowsStale {
            guard let old = known(), freshness.state(age: environment.now() - old.fetched) != .expired else {
                throw error
            }
            return (old, .stale(error))
        }
    }

    // MARK: Fetches

    /// Returns an answer that a request accepts: from memory, from the running fetch of its target, or from a new one.
    package func fetch(
        _ request: Request,
        for purpose: HourlyBudget.Purpose = .client
    ) async throws -> Served<LibraryAnswer> {
        if let answer = acceptable(request) { return (answer, .hit) }
        try Self.requireFetch()
        while true {
            let (answer, isCollapsed) = try await flights.value(for: request.target) { [self] in
                try await obtain(request, for: purpose)
            }
            // A fetch that another request has started may have found an older answer.
            guard isCollapsed, !request.accepts(answer, at: environment.now()) else {
                return (answer, .miss(isCollapsed: isCollapsed))
            }
        }
    }

    /// Fetches an answer in the background, and passes it to `body`; a failure is ignored, since the old one is served.
    package func refresh(_ request: Request, _ body: @escaping @Sendable (Answer) -> Void = { _ in }) {
        guard Self.mayFetch else { return }
        flights.want(request.target) { [self] in
            let answer = try await obtain(request, for: .background)
            body(answer)
            return answer
        }
    }

    private func acceptable(_ request: Request) -> Answer? {
        kept(request.target).flatMap { request.accepts($0, at: environment.now()) ? $0 : nil }
    }

    private func obtain(_ request: Request, for purpose: HourlyBudget.Purpose) async throws(UpstreamError) -> Answer {
        // Between the look into memory and the start of this fetch, another one may have ended.
        if let answer = acceptable(request) { return answer }
        let target = request.target
        if let failure = failures.withLock({ $0.failure(of: target, now: environment.now()) }) { throw failure }
        do {
            func fetch() async throws(UpstreamError) -> Fetched {
                try await call(target, for: purpose) { (answer) throws(UpstreamError) in
                    try PhotoPayload.photos(in: answer, to: target)
                }
            }
            let (answer, photos) =
                if let shared {
                    try await shared.obtain(request, environment, fetch: fetch)
                } else {
                    try await fetch()
                }
            keep(answer, for: target)
            merge(photos, fetched: answer.fetched)
            return answer
        } catch {
            let (random, now) = (environment.random(), environment.now())
            failures.withLock { $0.record(error, of: target, random: random, now: now) }
            if error == .notFound { memory.withLock { $0.remove(target) } }
            throw error
        }
    }

    /// Calls the API for an answer that is not kept, and may be any document.
    package func send(_ target: String) async throws(UpstreamError) -> [UInt8] {
        let (answer, photos) = try await call(target, for: .client, PhotoPayload.anyPhotos)
        merge(photos, fetched: answer.fetched)
        return answer.value.content
    }

    /// Calls the API if the breaker and the budget allow it, and reports the result to both.
    private func call(
        _ target: String,
        for purpose: HourlyBudget.Purpose,
        _ read: (LibraryAnswer) throws(UpstreamError) -> [Photo]
    ) async throws(UpstreamError) -> Fetched {
        try await budget.enter(purpose)
        let called = environment.now()
        do throws(UpstreamError) {
            let answer = try await library.get(target)
            let photos = try read(answer)
            budget.leave(nil, remainingCalls: answer.remainingCalls)
            return (Timestamped(value: answer, fetched: environment.now(), called: called), photos)
        } catch {
            let (error, remaining) = error.parts
            throw budget.leave(error, remainingCalls: remaining) ?? error
        }
    }
}

/// A value from the library, and the time of its fetch.
package struct Timestamped<Value: Sendable>: Sendable {
    package var value: Value
    package let fetched: Instant
    /// The start of the call, after which the library may have changed; nil if another replica has made it.
    package var called: Instant?
}

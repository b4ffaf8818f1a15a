import HTTPExchange
import PhotoFeed
import Primitives
import Synchronization

extension PhotoService {
    /// The reports that wait to be sent, and the idempotency keys of downloads.
    struct Reports: Sendable {
        var queue = ReportQueue()
        var keys = ReportKeys()
    }

    /// The queue or the memory budget is full.
    struct TooManyReports: Error {}

    /// Queues the report of a download, which is sent in the background.
    ///
    /// - Parameters:
    ///   - idOrSlug: the photo.
    ///   - key: identifies the download; nil for a separate download.
    /// - Returns: whether the key is new, repeated or that of another photo.
    /// - Throws: `TooManyReports` or an error of the library or the shared store; nothing is queued then.
    func queueReport(_ idOrSlug: String, key: IdempotencyKey?) async throws -> ReportKeys.Verdict {
        let photo = try await knownPhoto(idOrSlug)
        var location = photo.downloadLocation
        if location.isEmpty {
            location = "https://api.unsplash.com/photos/\(PercentEncoding.encode(photo.id))/download"
        }
        let report = ReportQueue.Report(location: location, trace: UpstreamTrace.current)
        if let key, let sharedReports { return try await queue(report, key, photo: photo.id, sharedReports) }
        let (verdict, startsSender) = try reports.withLock { reports -> (ReportKeys.Verdict, Bool) in
            if let key {
                let verdict = reports.keys.verdict(key, photo: photo.id, now: now)
                if verdict != .new { return (verdict, false) }
            }
            guard reports.queue.hasRoom, configuration.memory.reserve(report.cost) else { throw TooManyReports() }
            if let key { reports.keys.record(key, photo: photo.id, now: now) }
            return (.new, reports.queue.add(report))
        }
        if startsSender { senders.want(environment.random()) { [self] in try await sendReports() } }
        return verdict
    }

    /// Queues a report if its key is new for all replicas.
    ///
    /// The key and the report belong together, so a client that leaves between the two steps does not interrupt them. A
    /// replica that ends then, or before it has sent the report, loses the report.
    private func queue(
        _ report: ReportQueue.Report,
        _ key: IdempotencyKey,
        photo: String,
        _ shared: SharedReports
    ) async throws -> ReportKeys.Verdict {
        guard
            reports.withLock({ reports in
                guard reports.queue.hasRoom, configuration.memory.reserve(report.cost) else { return false }
                reports.queue.reserve()
                return true
            })
        else { throw TooManyReports() }
        let answer = PendingResult<Result<ReportKeys.Verdict, UpstreamError>>()
        let isStarted = senders.want(environment.random()) { [self] in
            let verdict: Result<ReportKeys.Verdict, UpstreamError>
            do throws(UpstreamError) {
                verdict = .success(try await shared.verdict(key, photo: photo))
            } catch {
                verdict = .failure(error)
            }
            let isNew = verdict == .success(.new)
            let startsSender = reports.withLock { reports in
                reports.queue.release()
                return isNew && reports.queue.add(report)
            }
            if !isNew { configuration.memory.release(report.cost) }
            if startsSender { senders.want(environment.random()) { [self] in try await sendReports() } }
            answer.deliver(verdict)
        }
        guard isStarted else {
            reports.withLock { $0.queue.release() }
            configuration.memory.release(report.cost)
            throw CancellationError()
        }
        return try await answer.value(cancelled: .failure(.cancelled)).get()
    }

    /// Sends reports until none is left.
    private func sendReports() async throws {
        var woke = false
        while true {
            switch reports.withLock({ $0.queue.next(woke: woke, now: now) }) {
            case .send(let report):
                let retryAfter = await send(report)
                let isDone = reports.withLock { $0.queue.ended(report, retryAfter: retryAfter, now: now) }
                if isDone { configuration.memory.release(report.cost) }
                woke = false
            case .wait(let duration):
                try await environment.sleep(duration)
                woke = true
            case .end: return
            }
        }
    }

    /// Reports a download at the photo's own location, which has the `ixid`.
    ///
    /// - Returns: the least time until the next attempt; nil after a success or a permanent error.
    private func send(_ report: ReportQueue.Report) async -> Duration? {
        let failure = await UpstreamTrace.$current.withValue(report.trace) { await self.failure(of: report) }
        switch failure {
        case .rateLimited(let retryAfter), .unavailable(let retryAfter): return retryAfter
        case .refused, .failed, .invalid, .timedOut, .overloaded, .credentials, .storeUnavailable: return .zero
        case .notFound, .invalidQuery, .unusable, .imageRejected, .cancelled, nil: return nil
        }
    }

    /// Attempts a report; nil after a success.
    private func failure(of report: ReportQueue.Report) async -> UpstreamError? {
        do throws(UpstreamError) {
            try await call(nil, for: .client) { () async throws(UpstreamError) in
                _ = try await upstream.trackDownload(at: report.location)
            }
            return nil
        } catch {
            return error
        }
    }
}

extension PhotoService {
    /// The most batches at once; each fetches one picture at a time, so that requests of clients have priority.
    private static let batches = 4

    enum PrefetchRefusal: Error {
        /// The remaining calls are reserved for requests of clients; with the time until the next hour.
        case budgetLow(Duration)
        case busy
    }

    /// Fetches pictures into the cache in the background; `account` pays for each while it arrives.
    func prefetch(_ ids: [String], _ transform: PictureTransform, account: MemoryAccount) throws(PrefetchRefusal) {
        if let wait = withGate({ gate, now in gate.budget.refusesBackground(now: now) }) { throw .budgetLow(wait) }
        guard prefetches.count < Self.batches else { throw .busy }
        prefetches.want(environment.random()) { [self] in
            for id in ids where !Task.isCancelled {
                // A picture that fails here is fetched by its first request, which reports the error.
                try? await prefetch(id, transform, account)
            }
        }
    }

    private func prefetch(_ idOrSlug: String, _ transform: PictureTransform, _ account: MemoryAccount) async throws {
        let photo: Photo
        if let known = index.withLock({ $0.photo(idOrSlug) }) {
            photo = known.value
        } else {
            photo = try await detailFlights.value(for: idOrSlug) { [self] in
                try await fetch(idOrSlug, for: .background)
            }.value.value.photo
        }
        let key = PictureKey(photo: photo.id, transform: transform)
        let waiter = try join(key, photo, account)
        _ = try await pictureFlights.value(of: waiter)
    }
}

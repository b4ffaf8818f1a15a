import HTTPExchange
import Primitives
import Synchronization

extension PhotoService {
    /// The reports that wait to be sent, and the idempotency keys of downloads.
    struct Reports: Sendable {
        var queue = ReportQueue()
        var keys = ReportKeys()
    }

    /// Queues the report of a download, which is sent in the background; without a key it is a separate download.
    ///
    /// - Throws: `Problem` 503 if the queue, the client's share of it or the memory budget is full, or an error of the library
    ///   or the shared store; nothing is queued then.
    func queueReport(_ idOrSlug: String, key: IdempotencyKey?, account: MemoryAccount) async throws
        -> ReportKeys.Verdict
    {
        try Self.requireFetch()
        let photo = try await findPhoto(idOrSlug)
        let standard = "/photos/\(PercentEncoding.encode(photo.id))/download"
        let target = photo.reportTarget ?? standard
        let report = ReportQueue.Report(target: target, trace: UpstreamTrace.current, client: account.client)
        try reserve(report)
        guard let key, let shared else {
            let verdict = reports.withLock { reports in
                key.map { reports.keys.verdict($0, photo: photo.id, now: now) } ?? .new
            }
            settle(report, isNew: verdict == .new)
            return verdict
        }
        // The key and the report belong together, so a client that leaves meanwhile does not interrupt this. A replica that
        // ends before it has sent the report loses it.
        let answer = PendingResult<Result<ReportKeys.Verdict, UpstreamError>>()
        let isStarted = senders.want(environment.random()) { [self] in
            let verdict: Result<ReportKeys.Verdict, UpstreamError>
            do throws(UpstreamError) {
                verdict = .success(try await shared.verdict(key, photo: photo.id))
            } catch {
                verdict = .failure(error)
            }
            settle(report, isNew: verdict == .success(.new))
            answer.deliver(verdict)
        }
        guard isStarted else {
            settle(report, isNew: false)
            throw CancellationError()
        }
        return try await answer.value(cancelled: .failure(.cancelled)).get()
    }

    /// Reserves a place in the queue and the memory of a report; `settle` follows.
    private func reserve(_ report: ReportQueue.Report) throws {
        if reportShares.reserve(report.client) {
            if reports.withLock({ $0.queue.reserve() }) {
                if configuration.memory.reserve(report.cost) { return }
                reports.withLock { $0.queue.release() }
            }
            reportShares.release(report.client)
        }
        throw Problem(.overloaded, "Too many downloads wait to be reported.", retryAfter: .seconds(5))
    }

    /// Adds a report to the queue, or releases its place if it is not a new one.
    private func settle(_ report: ReportQueue.Report, isNew: Bool) {
        if isNew { add(report) } else { release(report) }
    }

    private func add(_ report: ReportQueue.Report) {
        guard reports.withLock({ $0.queue.add(report) }) else { return }
        senders.want(environment.random()) { [self] in await sendReports() }
    }

    private func release(_ report: ReportQueue.Report) {
        reports.withLock { $0.queue.release() }
        reportShares.release(report.client)
        configuration.memory.release(report.cost)
    }

    /// The times between the attempts to send a report; ten minutes are longer than a restart of the library.
    private static let pauses: [Duration] = [.seconds(1), .seconds(10), .seconds(60), .seconds(600)]

    /// Sends reports until none is left.
    private func sendReports() async {
        while let report = reports.withLock({ $0.queue.next() }) {
            if let retryAfter = await send(report), report.failures < Self.pauses.count {
                retry(report, after: max(retryAfter, Self.pauses[report.failures]))
            } else {
                release(report)
            }
        }
    }

    /// Adds a failed report again after a time.
    private func retry(_ report: ReportQueue.Report, after time: Duration) {
        senders.want(environment.random()) { [self] in
            try await environment.sleep(time)
            var report = report
            report.failures += 1
            add(report)
        }
    }

    /// Sends a report; returns the least time until the next attempt, or nil after a success or a permanent error.
    private func send(_ report: ReportQueue.Report) async -> Duration? {
        do {
            try await UpstreamTrace.$current.withValue(report.trace) {
                _ = try await answers.send(report.target)
            }
            return nil
        } catch {
            let error = error as? UpstreamError
            switch error {
            case .rateLimited, .unavailable, .refused, .failed, .invalid, .timedOut, .overloaded, .credentials,
                .storeUnavailable:
                return error?.retryAfter ?? .zero
            case .notFound, .invalidQuery, .unusable, .imageRejected, .cancelled, .counted, nil: return nil
            }
        }
    }

    /// The most batches at once, of which one client has half; each fetches one picture at a time, so that requests of
    /// clients have priority.
    static let batches = 4

    /// Fetches pictures into the cache in the background; `account` pays for each while it arrives.
    ///
    /// - Throws: `Problem` 429 if the calls left in this hour are reserved for requests of clients, or the client has two
    ///   batches; 503 if others have the rest.
    func prefetch(_ ids: [String], _ transform: PictureTransform, account: MemoryAccount) throws(Problem) {
        try Self.requireFetch()
        if let wait = answers.budget.waitForBackground {
            let detail = "The calls left in this hour are reserved for requests of clients."
            throw Problem(.budgetLow, detail, retryAfter: wait)
        }
        guard prefetchShares.reserve(account.client) else {
            throw Problem(.tooManyRequests, "Prefetches of this client are still running.", retryAfter: .seconds(5))
        }
        let isStarted =
            prefetches.count < Self.batches
            && prefetches.want(environment.random()) { [self] in
                defer { prefetchShares.release(account.client) }
                for id in ids where !Task.isCancelled {
                    // A picture that fails here is fetched by its first request, which reports the error.
                    try? await prefetch(id, transform, account)
                }
            }
        if !isStarted {
            prefetchShares.release(account.client)
            throw Problem(.overloaded, "Prefetches of other clients are still running.", retryAfter: .seconds(5))
        }
    }

    private func prefetch(_ idOrSlug: String, _ transform: PictureTransform, _ account: MemoryAccount) async throws {
        let photo = try await findPhoto(idOrSlug, for: .background)
        // Clients get their pictures from the library then.
        if redirectsPictures { return }
        let waiter = try join(PictureKey(photo: photo.id, transform: transform), photo, account)
        _ = try await pictureFlights.value(of: waiter)
    }
}

import HTTPExchange
import PhotoLibrary
import Primitives
import Synchronization

extension PhotoService {
    /// Queues the report of a download, which is sent in the background; without a key it is a separate download.
    ///
    /// - Returns: whether the download repeats an earlier one, which has been reported.
    /// - Throws: `Problem` 503 if the queue, the client's share of it or the memory budget is full, 422 if the key belongs to
    ///   another photo, or an error of the library or the shared store; nothing is queued then.
    func queueReport(_ idOrSlug: String, key: IdempotencyKey?, account: MemoryAccount) async throws -> Bool {
        try LibraryCache.requireFetch()
        let photo = try await answers.findPhoto(idOrSlug)
        let standard = "/photos/\(PercentEncoding.encode(photo.id))/download"
        let target = photo.reportTarget ?? standard
        let report = ReportQueue.Report(target: target, trace: UpstreamTrace.current, client: account.client)
        try reserve(report)
        let earlier = try await queue(report, of: photo.id, key)
        guard earlier == nil || earlier == photo.id else {
            throw Problem(.idempotencyKeyReused, "This key was used for the download of another photo.")
        }
        return earlier != nil
    }

    /// Queues a report unless the key has an earlier download, on whichever replica; returns the photo of that one.
    private func queue(_ report: ReportQueue.Report, of photo: String, _ key: IdempotencyKey?) async throws -> String? {
        guard let key, let shared else {
            let earlier = key.flatMap { key in reports.withLock { $0.remember(photo, for: key, now: now) } }
            settle(report, isNew: earlier == nil)
            return earlier
        }
        // The key and the report belong together, so a client that leaves meanwhile does not interrupt this. A replica that
        // ends before it has sent the report loses it.
        let answer = PendingResult<Result<String?, UpstreamError>>()
        let isStarted = senders.want(environment.random()) { [self] in
            // The key has the client's text and the token's fingerprint.
            let key = "\(String(key.principal ?? 0, radix: 16)):\(key.text)"
            let earlier: Result<String?, UpstreamError>
            do throws(UpstreamError) {
                earlier = .success(try await shared.remember(photo, for: key, ReportQueue.keyMemory))
            } catch {
                earlier = .failure(error)
            }
            settle(report, isNew: earlier == .success(nil))
            answer.deliver(earlier)
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
            if reports.withLock({ $0.reserve() }) {
                if configuration.memory.reserve(report.cost) { return }
                reports.withLock { $0.release() }
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
        guard reports.withLock({ $0.add(report) }) else { return }
        senders.want(environment.random()) { [self] in await sendReports() }
    }

    private func release(_ report: ReportQueue.Report) {
        reports.withLock { $0.release() }
        reportShares.release(report.client)
        configuration.memory.release(report.cost)
    }

    /// The times between the attempts to send a report: ten minutes are longer than a restart of the library, and an hour
    /// is as long as its limit of calls.
    private static let pauses = [1, 10, 60, 600, 3600].map(Duration.seconds)

    /// Sends reports until none is left; one that fails is added again after a time.
    private func sendReports() async {
        while var report = reports.withLock({ $0.next() }) {
            guard let retryAfter = await send(report), report.failures < Self.pauses.count else {
                release(report)
                continue
            }
            let pause = max(retryAfter, Self.pauses[report.failures])
            report.failures += 1
            senders.want(environment.random()) { [self, report] in
                try await environment.sleep(pause)
                add(report)
            }
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
    func prefetch(_ ids: [String], _ transform: PictureTransform, account: MemoryAccount) throws {
        try LibraryCache.requireFetch()
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
        let photo = try await answers.findPhoto(idOrSlug, for: .background)
        // Clients get their pictures from the library then.
        if redirectsPictures { return }
        let waiter = try join(PictureKey(photo: photo.id, transform: transform), photo, account)
        _ = try await pictureFlights.value(of: waiter)
    }
}

import PhotoFeed
import Primitives
import SharedState
import Synchronization

/// Pages and details that several replicas share.
extension PhotoService {
    /// The clock of the replicas and that of this process.
    func clocks(_ shared: SharedPhotos) -> ClockPair {
        ClockPair(shared: shared.engine.now, own: now)
    }

    // MARK: Pages

    /// Gets a page from the other replicas, or fetches it for all of them.
    ///
    /// A page of a new snapshot is obtained under the key of its feed, so replicas do not begin two snapshots at once.
    func fetch(
        _ pageKey: FeedLibrary.PageKey,
        for purpose: HourlyBudget.Purpose,
        sharedIn shared: SharedPhotos
    ) async throws(UpstreamError) {
        let need = feeds.withLock { $0.need(of: pageKey, now: now) }
        let id: UInt64
        let key: SharedKey
        switch need {
        case .nothing: return
        case .page:
            id = pageKey.snapshot
            key = .page(pageKey.page, of: id)
        case .snapshot(let previous):
            id = FeedLibrary.snapshotID(
                milliseconds: shared.engine.now.milliseconds,
                after: previous,
                random: shared.makeNonce()
            )
            key = .newest(of: pageKey.feed)
        }
        if let failure = failures.withLock({ $0.failure(of: .page(pageKey), now: now) }) { throw failure }
        let (pages, origin) = try await shared.obtain(key) { value throws(SharedStateError) in
            try await answer(value, to: need, of: pageKey, shared)
        } fetch: { () throws(UpstreamError) in
            let page = try await call(.page(pageKey), for: purpose) { () async throws(UpstreamError) in
                try await upstream.page(pageKey.page, of: pageKey.feed)
            }
            return feeds.withLock { $0.draft(page, for: pageKey, as: id, now: now) }
        } land: { pages, claim throws(SharedStateError) in
            try await land(pages, claim, shared)
        }
        let displaced = install(pages)
        guard origin == .landed else { return }
        let clocks = clocks(shared)
        let ticket = PhotoTicket.pages(pages.map(\.number), snapshot: pages.first?.key.snapshot ?? id)
        let records = pages.prefix(PhotoNotice.mostPages).map { PhotoRecord.page($0) }
        await shared.tell(PhotoNotice(ticket: ticket, records: records), clocks)
        await shared.remove(displaced)
    }

    /// Returns the pages that a record of the store leads to; nil if they are not the needed ones.
    private func answer(
        _ value: SharedValue,
        to need: FeedLibrary.Need,
        of wanted: FeedLibrary.PageKey,
        _ shared: SharedPhotos
    ) async throws(SharedStateError) -> [KeptPage]? {
        switch (shared.record(value, clocks(shared)), need) {
        case (.page(let page), .page) where page.key == wanted: return [page]
        case (.newest(let feed, let snapshot, let numbers), .snapshot(let previous))
        where feed == wanted.feed && previous.map { snapshot > $0 } ?? true:
            let pages = try await shared.pages(numbers, of: snapshot, feed, clocks(shared))
            // Without its first page the snapshot cannot be installed.
            guard let first = pages.first, first.number == numbers.first,
                Freshness.lists.state(age: now - first.fetched) != .expired
            else { return nil }
            return pages
        default: return nil
        }
    }

    /// Stores pages: a new snapshot first with all of its pages, then under the key of its feed.
    private func land(
        _ pages: [KeptPage],
        _ claim: FetchClaim,
        _ shared: SharedPhotos
    ) async throws(SharedStateError) -> FetchClaim.Landing {
        guard let first = pages.first else { return .lost }
        let clocks = clocks(shared)
        func value(_ page: KeptPage) -> SharedValue {
            shared.value(.page(page.number, of: page.key.snapshot), .page(page), clocks)
        }
        let key = SharedKey.page(first.number, of: first.key.snapshot)
        if claim.lease.key == key { return try await shared.land(value(first), claim) }
        for page in pages {
            let key = SharedKey.page(page.number, of: page.key.snapshot)
            _ = try await shared.engine.create(key, value(page), timeToLive: PhotoRecord.timeToLive)
        }
        let newest = PhotoRecord.newest(first.key.feed, snapshot: first.key.snapshot, pages: pages.map(\.number))
        let version = SharedVersion(high: first.key.snapshot, low: shared.makeNonce())
        let landing = try await shared.land(shared.value(version, newest, clocks), claim)
        if landing == .lost { await shared.remove(pages.map(\.key)) }
        return landing
    }

    /// Installs pages, and returns those of displaced snapshots.
    private func install(_ pages: [KeptPage]) -> [FeedLibrary.PageKey] {
        let displaced = feeds.withLock { $0.install(pages, now: now) }
        index.withLock { index in
            for page in pages { for photo in page.photos { index.note(photo, fetched: page.fetched) } }
        }
        return displaced
    }

    /// Whether a cached slice of this snapshot may answer a request.
    ///
    /// If pages are shared, the snapshot of a cursor is looked up before another one is used.
    func mayAnswer(_ request: FeedLibrary.Request, from snapshot: UInt64) -> Bool {
        guard shared != nil, case .cursor(let cursor) = request.start else { return true }
        return cursor.snapshot == snapshot
    }

    /// Whether a request continues a snapshot that is not here, but possibly on other replicas.
    func isForeign(_ request: FeedLibrary.Request) -> Bool {
        guard shared != nil, case .cursor = request.start else { return false }
        return feeds.withLock { $0.isUnknown(request, now: now) }
    }

    /// Looks for the snapshot of a cursor in the store, at the cursor's page and the one before it.
    ///
    /// If the store is away or has neither, the position is found in another snapshot.
    func lookUp(_ request: FeedLibrary.Request) async {
        guard let shared, case .cursor(let cursor) = request.start else { return }
        let numbers = [cursor.position.page - 1, cursor.position.page].filter { $0 > 0 }
        let pages = try? await shared.pages(numbers, of: cursor.snapshot, request.feed, clocks(shared))
        _ = install(pages ?? [])
    }

    // MARK: Details

    /// Gets the details of a photo from the other replicas, or fetches them for all of them.
    func fetch(
        _ idOrSlug: String,
        for purpose: HourlyBudget.Purpose,
        sharedIn shared: SharedPhotos
    ) async throws(UpstreamError) -> Timestamped<PhotoDetail> {
        if let failure = failures.withLock({ $0.failure(of: .photo(idOrSlug), now: now) }) { throw failure }
        let (detail, origin) = try await shared.obtain(.detail(idOrSlug)) { value throws(SharedStateError) in
            guard case .detail(let detail) = shared.record(value, clocks(shared)), detail.isOf(idOrSlug),
                Freshness.details.state(age: now - detail.fetched) == .fresh
            else { return nil }
            return detail
        } fetch: { () throws(UpstreamError) in
            let detail = try await call(.photo(idOrSlug), for: purpose) { () async throws(UpstreamError) in
                try await upstream.photo(idOrSlug)
            }
            return Timestamped(value: detail, fetched: now)
        } land: { detail, claim throws(SharedStateError) in
            try await shared.land(shared.value(shared.makeVersion(), .detail(detail), clocks(shared)), claim)
        }
        install(detail)
        if origin == .landed {
            let notice = PhotoNotice(ticket: .detail(idOrSlug), records: [.detail(detail)])
            await shared.tell(notice, clocks(shared))
        }
        return detail
    }

    private func install(_ detail: Timestamped<PhotoDetail>) {
        guard Freshness.details.state(age: now - detail.fetched) != .expired else { return }
        index.withLock { $0.note(detail.value, fetched: detail.fetched) }
    }

    // MARK: Following

    /// Follows the journal of the replicas until the task is cancelled; returns at once without a shared store.
    package func followReplicas() async {
        guard let shared else { return }
        await shared.follow { [self] in
            clocks(shared)
        } notice: { [self] notice throws(SharedStateError) in
            install(notice.records)
            let missing = notice.ticket.keys.dropFirst(notice.records.count)
            install(try await shared.records(Array(missing), clocks(shared)))
        } tickets: { [self] tickets throws(SharedStateError) in
            try await readBack(tickets, shared)
        }
    }

    /// Reads the newest records that this replica has room for and does not have.
    private func readBack(_ tickets: [PhotoTicket], _ shared: SharedPhotos) async throws(SharedStateError) {
        let held = feeds.withLock(\.heldPages)
        var pages: [SharedKey] = []
        var details: [SharedKey] = []
        for ticket in tickets {
            switch ticket {
            case .pages where pages.count >= PhotoService.mostPagesToRead: break
            case .pages(let numbers, let snapshot):
                let missing = numbers.filter { held[snapshot]?.contains($0) != true }
                pages += missing.map { .page($0, of: snapshot) }
            case .detail(let name): details.append(.detail(name))
            }
        }
        // Many of the keys are those of displaced snapshots and have no value, so the limit counts the records.
        for (keys, room) in [
            (pages, configuration.knownPhotos / Feed.pageSize), (details, configuration.knownPhotos / 10),
        ] {
            var rest = keys[...]
            var found = 0
            while found < room, !rest.isEmpty {
                let records = try await shared.records(Array(rest.prefix(64)), clocks(shared))
                install(records)
                found += records.count
                rest = rest.dropFirst(64)
            }
        }
    }

    /// The number of pages after which no more tickets of pages are considered.
    private static let mostPagesToRead = 200_000

    /// Installs records: of each snapshot the first page before adopted ones, which are older and can be expired.
    private func install(_ records: [PhotoRecord]) {
        var pages: [KeptPage] = []
        for record in records {
            switch record {
            case .page(let page): pages.append(page)
            case .detail(let detail): install(detail)
            case .newest, .document: break
            }
        }
        _ = install(pages.sorted { $0.number < $1.number })
    }
}

extension Timestamped<PhotoDetail> {
    /// Whether these are the details of the photo of this name.
    fileprivate func isOf(_ idOrSlug: String) -> Bool {
        value.photo.id == idOrSlug || value.photo.slug == idOrSlug
    }
}

extension SharedPhotos {
    /// Reads pages of a snapshot, in the order of their numbers.
    fileprivate func pages(
        _ numbers: [Int],
        of snapshot: UInt64,
        _ feed: Feed,
        _ clocks: ClockPair
    ) async throws(SharedStateError) -> [KeptPage] {
        let records = try await records(numbers.map { .page($0, of: snapshot) }, clocks)
        let pages = records.compactMap { record -> KeptPage? in
            guard case .page(let page) = record, page.key.snapshot == snapshot, page.key.feed == feed else {
                return nil
            }
            return page
        }
        return pages.sorted { $0.number < $1.number }
    }

    /// Removes the pages of displaced snapshots; those that remain end by their time to live.
    fileprivate func remove(_ pages: [FeedLibrary.PageKey]) async {
        for page in pages {
            let version = SharedVersion.page(page.page, of: page.snapshot)
            _ = try? await engine.delete(.page(page.page, of: page.snapshot), base: version)
        }
    }
}

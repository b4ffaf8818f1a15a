import Primitives
import SharedState
import Synchronization

/// Pages, details and documents that several replicas share.
extension PhotoService {
    /// Returns the answer of a key from the other replicas, or calls the library, unless that has failed some seconds ago.
    ///
    /// The functions are those of `SharedPhotos.obtain`.
    func obtain<Found: Sendable>(
        _ key: SharedKey,
        _ fetchKey: FetchKey,
        _ target: String,
        for purpose: HourlyBudget.Purpose,
        accept: (PhotoRecord) async -> Found?,
        read: (LibraryAnswer) throws(UpstreamError) -> Found,
        entry: (Found) async -> SharedPhotos.Entry?
    ) async throws(UpstreamError) -> Found {
        guard let shared else { return try await get(target, fetchKey, for: purpose, read: read) }
        if let failure = failures.withLock({ $0.failure(of: fetchKey, now: now) }) { throw failure }
        return try await shared.obtain(key, now: environment.now, accept: accept) { () async throws(UpstreamError) in
            try await get(target, fetchKey, for: purpose, read: read)
        } entry: { found in
            await entry(found)
        }
    }

    /// Gets a page from the other replicas, or fetches it for all of them.
    ///
    /// A page of a new snapshot is obtained under the key of its feed, so replicas do not begin two snapshots at once.
    func fetch(_ pageKey: FeedLibrary.PageKey, for purpose: HourlyBudget.Purpose) async throws(UpstreamError) {
        let need = feeds.withLock { $0.need(of: pageKey, now: now) }
        let id: UInt64
        let key: SharedKey
        switch need {
        case .nothing: return
        case .page:
            id = pageKey.snapshot
            key = .page(pageKey.page, of: id)
        case .snapshot(let previous):
            let time = shared?.clock(at: now).time(at: now) ?? .now
            let random = UInt64.random(in: .min ... .max)
            id = FeedLibrary.snapshotID(milliseconds: time.milliseconds, after: previous, random: random)
            key = .newest(of: pageKey.feed)
        }
        let target = pageKey.feed.target(page: pageKey.page)
        let found = try await obtain(key, .page(pageKey), target, for: purpose) { record in
            await pages(of: record, for: need, of: pageKey)
        } read: { answer throws(UpstreamError) in
            let page = try PhotoPayload.page(answer, pageKey.page, of: pageKey.feed)
            return feeds.withLock { feeds in
                // Without a claim, the fetch of another page may have begun the snapshot meanwhile.
                let begun = shared == nil ? feeds.begunSnapshot(for: pageKey, now: now) : nil
                return feeds.draft(page, for: pageKey, as: begun ?? id, now: now)
            }
        } entry: { pages in
            await entry(of: pages, for: pageKey, under: key)
        }
        install(found, of: pageKey.feed)
    }

    /// Returns the pages that a record leads to; nil if they are not the needed ones.
    private func pages(
        of record: PhotoRecord,
        for need: FeedLibrary.Need,
        of wanted: FeedLibrary.PageKey
    ) async -> [KeptPage]? {
        switch (record, need) {
        case (.page(let page, let feed), .page)
        where feed == wanted.feed.identity && page.snapshot == wanted.snapshot && page.number == wanted.page:
            return [page]
        case (.newest(let feed, let snapshot, let numbers), .snapshot(let previous))
        where feed == wanted.feed.identity && previous.map { snapshot > $0 } ?? true:
            let pages = await shared?.pages(numbers, of: snapshot, wanted.feed, now: now)
            // Without its first page the snapshot cannot be installed.
            guard let first = pages?.first, first.number == numbers.first,
                Freshness.lists.state(age: now - first.fetched) != .expired
            else { return nil }
            return pages
        default: return nil
        }
    }

    /// Stores all but the last part of a fetch, and returns that part: a page, or the name of a new snapshot.
    ///
    /// Adopted pages are stored for a shorter time, because each snapshot stores them anew.
    private func entry(
        of pages: [KeptPage],
        for wanted: FeedLibrary.PageKey,
        under key: SharedKey
    ) async -> SharedPhotos.Entry? {
        guard let shared, let first = pages.first else { return nil }
        let (id, feed) = (first.snapshot, wanted.feed.identity)
        if let page = pages.first(where: { $0.number == wanted.page }) {
            await shared.putPlaces(of: page.photos, in: .page(page.number, of: id))
        }
        if key == .page(first.number, of: id) { return (.page(first, of: feed), PhotoRecord.timeToLive) }
        for page in pages {
            let life = page.number == wanted.page ? PhotoRecord.timeToLive : Freshness.lists.staleWhileRevalidate
            await shared.put((.page(page, of: feed), life), in: .page(page.number, of: id), now: now)
        }
        return (.newest(feed, snapshot: id, pages: pages.map(\.number)), Freshness.lists.fresh)
    }

    private func install(_ pages: [KeptPage], of feed: Feed) {
        feeds.withLock { $0.install(pages, of: feed, now: now) }
        for page in pages { merge(page) }
    }

    private func merge(_ page: KeptPage) {
        index.withLock { index in
            for photo in page.photos { index.merge(photo, fetched: page.fetched) }
        }
    }

    /// Whether a cached slice of this snapshot may answer: a shared snapshot of a cursor is looked up before another one.
    func mayAnswer(_ request: FeedLibrary.Request, from snapshot: UInt64) -> Bool {
        guard shared != nil, case .cursor(let cursor) = request.start else { return true }
        return cursor.snapshot == snapshot
    }

    /// Looks for the snapshot of a cursor in the store if it is not here, at the cursor's page and the one before it.
    func lookUp(_ request: FeedLibrary.Request) async {
        guard let shared, case .cursor(let cursor) = request.start, feeds.withLock({ $0.isUnknown(request, now: now) })
        else { return }
        let numbers = [cursor.position.page - 1, cursor.position.page].filter { $0 > 0 }
        install(await shared.pages(numbers, of: cursor.snapshot, request.feed, now: now), of: request.feed)
    }

    /// Looks for a photo that another replica has served; returns whether there is one.
    func findsPlace(of photo: String) async -> Bool {
        if known(photo) != nil { return true }
        guard let shared, let name = LibraryName(photo), let place = try? await shared.store.get(.place(of: name.text)),
            let key = String(validating: place, as: UTF8.self)
        else { return false }
        switch await shared.read(SharedKey(key), now: now) {
        case .page(let page, _): merge(page)
        case .detail(let detail): index.withLock { $0.merge(detail.value, fetched: detail.fetched) }
        case .newest, .document, nil: return false
        }
        return known(photo) != nil
    }
}

import PhotoLibrary
import Primitives
import Synchronization

extension PhotoService {
    typealias SliceAnswer = (slice: FeedSlice, status: CacheStatus)

    /// Returns the page of an earlier answer to a target, if it is still the answer.
    func cachedPage(_ key: RenderedPage.Key) -> RenderedPage? {
        guard let page = renderedPages.withLock({ $0.value(for: key) }),
            let (sliceKey, refresh) = feeds.withLock({ $0.sliceKey(of: page.request, now: now) }),
            sliceKey == page.slice.key
        else { return nil }
        if let refresh { revalidate(refresh) }
        return page
    }

    /// Returns the page of a slice, from the cache or rendered now.
    func page(_ key: RenderedPage.Key, of slice: FeedSlice, render: () -> RenderedPage) -> RenderedPage {
        guard let sliceKey = slice.key else { return render() }
        if let page = renderedPages.withLock({ $0.value(for: key) }), page.slice.key == sliceKey { return page }
        let page = render()
        renderedPages.withLock { _ = $0.insert(page, for: key, cost: page.cost + 2 * key.target.utf8.count) }
        return page
    }

    /// Returns a slice from the snapshots; nil if a page must be fetched first.
    func cachedSlice(_ request: FeedLibrary.Request) -> SliceAnswer? {
        guard case .slice(let slice, let refresh) = feeds.withLock({ $0.read(request, now: now) })
        else { return nil }
        if let refresh { revalidate(refresh) }
        return (slice, .hit)
    }

    /// Returns a slice, for which pages are fetched as needed; if that fails, one of an older snapshot.
    func slice(_ request: FeedLibrary.Request) async throws -> SliceAnswer {
        // A page may have only photos that the client has seen: after six more than needed, the slice is cut short.
        let enough = request.limit / Feed.pageSize + 7
        var status = CacheStatus.hit
        for fetches in 0...enough + 1 {
            switch feeds.withLock({ $0.read(request, short: fetches >= enough, now: now) }) {
            case .slice(let slice, let refresh):
                if let refresh { revalidate(refresh) }
                return (slice, status)
            case .fetch(let pageKey):
                do {
                    let (answer, part) = try await answers.fetch(self.request(pageKey))
                    try insert(answer, for: pageKey)
                    status = status.joined(with: part)
                } catch {
                    let failure = error as? UpstreamError
                    guard failure?.allowsStale ?? !LibraryCache.mayFetch,
                        let slice = feeds.withLock({ $0.fallback(for: request, now: now) })
                    else { throw error }
                    return (slice, failure.map(CacheStatus.stale) ?? .hit)
                }
            }
        }
        throw UpstreamError.invalid("only duplicates")
    }

    /// Fetches a page in the background.
    private func revalidate(_ key: FeedLibrary.PageKey) {
        answers.refresh(request(key)) { [self] answer in try? insert(answer, for: key) }
    }

    private func request(_ key: FeedLibrary.PageKey) -> LibraryCache.Request {
        LibraryCache.Request(target: key.feed.target(page: key.page), notBefore: key.notBefore)
    }

    /// Inserts the page of an answer, unless another request has done it.
    private func insert(_ answer: LibraryCache.Answer, for key: FeedLibrary.PageKey) throws(UpstreamError) {
        guard feeds.withLock({ $0.needs(key, now: now) }) else { return }
        let page = try PhotoPayload.page(answer.value, key.page, of: key.feed)
        // The answer may have been kept for longer than its photos.
        answers.merge(page.photos, fetched: answer.fetched)
        // 0 is not the id of a snapshot.
        let id = UInt64.random(in: 1 ... .max)
        feeds.withLock { $0.insert(page, for: key, fetched: answer.fetched, id: id, now: now) }
    }
}

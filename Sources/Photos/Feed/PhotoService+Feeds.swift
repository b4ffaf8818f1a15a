import Primitives
import Synchronization

extension PhotoService {
    typealias SliceAnswer = (slice: FeedSlice, status: CacheStatus)

    /// Returns the page of an earlier answer to a target, if it is still the answer.
    func cachedPage(_ key: RenderedPage.Key) -> RenderedPage? {
        guard let page = renderedPages.withLock({ $0.value(for: key) }),
            let (sliceKey, refresh) = feeds.withLock({ $0.sliceKey(of: page.request, now: now) }),
            sliceKey == page.slice.key, mayAnswer(page.request, from: sliceKey.snapshot)
        else { return nil }
        if let refresh { revalidate(refresh) }
        return page
    }

    /// Returns the page of a slice, from the cache or rendered now.
    func page(_ key: RenderedPage.Key, of slice: FeedSlice, render: () -> RenderedPage) -> RenderedPage {
        guard let sliceKey = slice.key else { return render() }
        if let known = renderedPages.withLock({ $0.value(for: key) }), known.slice.key == sliceKey { return known }
        let page = render()
        renderedPages.withLock { _ = $0.insert(page, for: key, cost: page.cost + 2 * key.target.utf8.count) }
        return page
    }

    /// Returns a slice from the snapshots; nil if a page must be fetched first.
    func cachedSlice(_ request: FeedLibrary.Request) -> SliceAnswer? {
        guard case .slice(let slice, let refresh) = feeds.withLock({ $0.read(request, now: now) }),
            mayAnswer(request, from: slice.snapshot)
        else { return nil }
        if let refresh { revalidate(refresh) }
        return (slice, .hit)
    }

    /// Returns a slice, for which pages are fetched as needed; if that fails, one of an older snapshot.
    func slice(_ request: FeedLibrary.Request) async throws -> SliceAnswer {
        await lookUp(request)
        // A page may have only duplicates: after three more than needed, the slice is cut short.
        let enough = request.limit / Feed.pageSize + 4
        var status = CacheStatus.hit
        for fetches in 0...enough + 1 {
            switch feeds.withLock({ $0.read(request, short: fetches >= enough, now: now) }) {
            case .slice(let slice, let refresh):
                if let refresh { revalidate(refresh) }
                return (slice, status)
            case .fetch(let pageKey):
                try Self.requireFetch()
                do {
                    let outcome = try await pageFlights.value(for: pageKey) { [self] in
                        try await fetch(pageKey, for: .client)
                    }
                    status = status.joined(with: .miss(isCollapsed: outcome.isCollapsed))
                } catch let error as UpstreamError where error.allowsStale {
                    guard let slice = feeds.withLock({ $0.fallback(for: request, now: now) }) else { throw error }
                    return (slice, .stale(error))
                }
            }
        }
        throw UpstreamError.invalid("only duplicates")
    }

    /// Fetches a page in the background; a failure is ignored, since the old one is still served.
    private func revalidate(_ pageKey: FeedLibrary.PageKey) {
        guard Self.mayFetch else { return }
        pageFlights.want(pageKey) { [self] in try await fetch(pageKey, for: .background) }
    }
}

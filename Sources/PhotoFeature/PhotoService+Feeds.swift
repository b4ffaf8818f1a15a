package import PhotoFeed
import Primitives
import Synchronization

extension PhotoService {
    /// A slice of a feed and its cache status.
    package struct SliceAnswer: Sendable {
        package let slice: FeedSlice
        package let status: CacheStatus
    }

    /// Returns the key of the slice that answers a request, with which its rendered page is found.
    func cachedSliceKey(_ request: FeedLibrary.Request) -> SliceKey? {
        guard let (key, refresh) = feeds.withLock({ $0.sliceKey(of: request, now: now) }),
            mayAnswer(request, from: key.snapshot)
        else { return nil }
        if let refresh { revalidate(refresh) }
        return key
    }

    /// Returns a slice from the snapshots; nil if a page must be fetched first.
    package func cachedSlice(_ request: FeedLibrary.Request) -> SliceAnswer? {
        guard case .slice(let slice, let refresh) = feeds.withLock({ $0.read(request, now: now) }),
            mayAnswer(request, from: slice.snapshot)
        else { return nil }
        if let refresh { revalidate(refresh) }
        return SliceAnswer(slice: slice, status: .hit(ttl: ttl(of: slice)))
    }

    /// Returns a slice, for which pages are fetched as needed; if that fails, one of an older snapshot.
    package func slice(_ request: FeedLibrary.Request) async throws -> SliceAnswer {
        await lookUp(request)
        // A page may have only duplicates: after three more than needed, the slice is cut short.
        let enough = request.limit / Feed.pageSize + 4
        var status: CacheStatus?
        for fetches in 0...enough + 1 {
            let answer = feeds.withLock { $0.read(request, short: fetches >= enough, now: now) }
            switch answer {
            case .slice(let slice, let refresh):
                if let refresh { revalidate(refresh) }
                return SliceAnswer(slice: slice, status: status ?? .hit(ttl: ttl(of: slice)))
            case .fetch(let pageKey):
                do {
                    let outcome = try await pageFlights.value(for: pageKey) { [self] in
                        try await fetch(pageKey, for: .client)
                    }
                    status = .miss(isCollapsed: outcome.isCollapsed)
                } catch let error as UpstreamError where error.allowsStale {
                    guard let slice = feeds.withLock({ $0.fallback(for: request, now: now) }) else { throw error }
                    return SliceAnswer(slice: slice, status: .stale(error))
                }
            }
        }
        throw UpstreamError.invalid("only duplicates")
    }

    /// Fetches a page in the background; a failure is ignored, since the old one is still served.
    private func revalidate(_ pageKey: FeedLibrary.PageKey) {
        pageFlights.want(pageKey) { [self] in try await fetch(pageKey, for: .background) }
    }

    private func ttl(of slice: FeedSlice) -> Duration {
        slice.fetched.map { Freshness.lists.fresh - (now - $0) } ?? .zero
    }
}

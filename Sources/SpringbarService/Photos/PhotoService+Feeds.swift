package import PhotoFeed
import Primitives
import Synchronization

extension PhotoService {
    /// A slice of a feed and its cache status.
    package struct ServedSlice: Sendable {
        package let slice: FeedSlice
        package let status: CacheStatus
    }

    /// Returns the key of the slice that answers a request, with which its rendered page is found.
    func readingPlace(_ request: FeedLibrary.Request) -> FeedPlace? {
        guard let (place, refresh) = feeds.withLock({ $0.place(of: request, now: now) }) else { return nil }
        if let refresh { revalidate(refresh) }
        return place
    }

    /// Returns a slice from the snapshots; nil if a page must be fetched first.
    package func readingSlice(_ request: FeedLibrary.Request) -> ServedSlice? {
        guard case .slice(let slice, let refresh) = feeds.withLock({ $0.read(request, now: now) }) else { return nil }
        if let refresh { revalidate(refresh) }
        return ServedSlice(slice: slice, status: .hit(ttl: ttl(of: slice)))
    }

    /// Returns a slice, for which pages are fetched as needed; if that fails, one of an older snapshot.
    package func slice(_ request: FeedLibrary.Request) async throws -> ServedSlice {
        // A page may have only duplicates: after three more than needed, the slice is cut short.
        let enough = request.limit / Feed.pageSize + 4
        var status: CacheStatus?
        for fetches in 0...enough + 1 {
            let answer = feeds.withLock { $0.read(request, short: fetches >= enough, now: now) }
            switch answer {
            case .slice(let slice, let refresh):
                if let refresh { revalidate(refresh) }
                return ServedSlice(slice: slice, status: status ?? .hit(ttl: ttl(of: slice)))
            case .fetch(let ticket):
                do {
                    let outcome = try await pageFlights.value(for: ticket) { [self] in
                        try await fetch(ticket, for: .people)
                    }
                    status = .miss(isCollapsed: outcome.collapsed)
                } catch let error as UpstreamError where error.allowsStale {
                    guard let slice = feeds.withLock({ $0.fallback(for: request, now: now) }) else { throw error }
                    return ServedSlice(slice: slice, status: .stale(error))
                }
            }
        }
        throw UpstreamError.invalid("only duplicates")
    }

    private func fetch(_ ticket: FeedLibrary.Ticket, for purpose: HourlyBudget.Purpose) async throws(UpstreamError) {
        // Between the look into the snapshots and the start of this fetch, another one may have ended.
        if feeds.withLock({ $0.holds(ticket) }) { return }
        let page = try await call(.page(ticket), for: purpose) { () async throws(UpstreamError) in
            try await upstream.page(ticket.page, of: ticket.feed)
        }
        let now = now
        index.withLock { index in
            for photo in page.photos { index.insert(photo, fetched: now) }
        }
        feeds.withLock { $0.insert(page, for: ticket, now: now) }
    }

    /// Fetches a page in the background; a failure is ignored, since the old one is still served.
    private func revalidate(_ ticket: FeedLibrary.Ticket) {
        pageFlights.want(ticket) { [self] in try await fetch(ticket, for: .background) }
    }

    private func ttl(of slice: FeedSlice) -> Duration {
        slice.fetched.map { Freshness.lists.fresh - (now - $0) } ?? .zero
    }
}

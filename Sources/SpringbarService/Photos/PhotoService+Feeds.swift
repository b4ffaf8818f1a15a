package import PhotoFeed
import Primitives
import Synchronization

extension PhotoService {
    /// A slice of a feed, and how it was come by.
    package struct ServedSlice: Sendable {
        package let slice: FeedSlice
        package let status: CacheStatus
    }

    /// Where in the feed a request is answered from: for finding what was made of the slice there.
    func readingPlace(_ request: FeedLibrary.Request) -> FeedPlace? {
        guard let (place, refresh) = feeds.withLock({ $0.place(of: request, now: now) }) else { return nil }
        if let refresh { revalidate(refresh) }
        return place
    }

    /// What is there already; nil when a page has to be fetched first.
    package func readingSlice(_ request: FeedLibrary.Request) -> ServedSlice? {
        guard case .slice(let slice, let refresh) = feeds.withLock({ $0.read(request, now: now) }) else { return nil }
        if let refresh { revalidate(refresh) }
        return ServedSlice(slice: slice, status: .hit(ttl: ttl(of: slice)))
    }

    /// The slice, for which pages are fetched as it needs them; when that fails, what an older snapshot has.
    package func slice(_ request: FeedLibrary.Request) async throws -> ServedSlice {
        // A page of the library may be all duplicates: three more than it takes, then the slice stays short.
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
        throw UpstreamError.invalid("a feed of nothing but duplicates")
    }

    private func fetch(_ ticket: FeedLibrary.Ticket, for purpose: HourlyBudget.Purpose) async throws(UpstreamError) {
        // Between looking and joining, another fetch of the same page may have ended.
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

    /// Asks for a page behind the client's back; a failure is nobody's business, for the old one is still good.
    private func revalidate(_ ticket: FeedLibrary.Ticket) {
        pageFlights.want(ticket) { [self] in try await fetch(ticket, for: .background) }
    }

    private func ttl(of slice: FeedSlice) -> Duration {
        slice.fetched.map { Freshness.lists.fresh - (now - $0) } ?? .zero
    }
}

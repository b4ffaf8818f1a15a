/// The pages of a source, one after the other, without duplicates; a failure skips no page.
///
/// A `for try await` loop loads the next page while one is used. A list calls ``reached(_:)`` with the photos that it shows.
public actor PhotoPager: AsyncSequence {
    /// The pages.
    public typealias Element = PhotoPage

    /// All photos so far.
    public private(set) var items: [Photo] = []
    /// Whether there is a next page.
    public private(set) var hasMore = true

    private let fetch: @Sendable (_ cursor: String?) async throws -> PhotoPage
    private let ahead: Int
    private var cursor: String?
    private var known: Set<String> = []
    private var loading: SharedLoad<PhotoPage>?
    /// The last page if no call has returned it; a loop that is left leaves one.
    private var unread: PhotoPage?

    /// A pager over any pages; `ahead` is the distance to the end, in photos, at which the next page is loaded.
    public init(ahead: Int = 10, fetch: @escaping @Sendable (_ cursor: String?) async throws -> PhotoPage) {
        self.fetch = fetch
        self.ahead = ahead
    }

    /// Returns the next page without photos of earlier ones; nil after the last one.
    ///
    /// Calls at the same time share one page. After a failure the same page is loaded again. The load is cancelled when
    /// the last task that waits for it is.
    ///
    /// - Throws: a `Problem`, or `CancellationError`.
    public func next() async throws -> PhotoPage? {
        try Task.checkCancellation()
        var next = unread
        if next == nil { next = try await begin()?.value() }
        // Another task may have begun to load the page after this one.
        if unread == next { unread = nil }
        return next
    }

    /// Loads the next page if a photo near the end is visible; returns the new photos.
    ///
    /// - Throws: a `Problem`, or `CancellationError`.
    @discardableResult
    public func reached(_ index: Int) async throws -> [Photo] {
        guard !isLoading, hasMore, index >= items.count - ahead else { return [] }
        return try await next()?.items ?? []
    }

    private var isLoading: Bool { loading?.isCancelled == false }

    /// Returns the load of the next page; nil after the last one.
    private func begin() -> SharedLoad<PhotoPage>? {
        if hasMore, !isLoading { loading = SharedLoad(Task { try await load() }) }
        return loading
    }

    /// Begins to load the page that the next call returns.
    fileprivate func loadAhead() {
        if unread == nil { _ = begin() }
    }

    private func load() async throws -> PhotoPage {
        defer { if !Task.isCancelled { loading = nil } }
        var page = try await fetch(cursor)
        try Task.checkCancellation()
        page.items = page.items.filter { known.insert($0.id).inserted }
        items += page.items
        cursor = page.page.nextCursor
        // Without a cursor, the next page would be the first one.
        hasMore = page.page.hasMore && cursor != nil
        unread = page
        return page
    }

    /// Returns an iterator, which loads one page ahead.
    public nonisolated func makeAsyncIterator() -> Iterator { Iterator(pager: self) }

    /// Iterates over the pages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let pager: PhotoPager

        /// Returns the next page; nil after the last one.
        public mutating func next() async throws -> PhotoPage? {
            let page = try await pager.next()
            if page != nil { await pager.loadAhead() }
            return page
        }
    }
}

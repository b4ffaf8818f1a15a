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
    private var loading: Task<PhotoPage, any Error>?
    private var waiting = 0

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
        while hasMore {
            try Task.checkCancellation()
            let task = loading ?? Task { try await load() }
            loading = task
            waiting += 1
            let result = await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                Task { await self.giveUp(task) }
            }
            waiting -= 1
            try Task.checkCancellation()
            // Another task may have cancelled the load, but this one still needs the page.
            if !task.isCancelled { return try result.get() }
        }
        return nil
    }

    /// Loads the next page if a photo near the end is visible; returns the new photos.
    ///
    /// - Throws: a `Problem`, or `CancellationError`.
    @discardableResult
    public func reached(_ index: Int) async throws -> [Photo] {
        guard loading == nil, hasMore, index >= items.count - ahead else { return [] }
        return try await next()?.items ?? []
    }

    private func load() async throws -> PhotoPage {
        defer { loading = nil }
        var page = try await fetch(cursor)
        try Task.checkCancellation()
        page.items = page.items.filter { known.insert($0.id).inserted }
        items += page.items
        (cursor, hasMore) = (page.page.nextCursor, page.page.hasMore)
        return page
    }

    private func giveUp(_ task: Task<PhotoPage, any Error>) {
        if waiting <= 1 { task.cancel() }
    }

    /// Returns an iterator, which loads one page ahead.
    public nonisolated func makeAsyncIterator() -> Iterator { Iterator(pager: self) }

    /// Iterates over the pages.
    public struct Iterator: AsyncIteratorProtocol {
        private let pager: PhotoPager
        private var next: Task<PhotoPage?, any Error>?

        fileprivate init(pager: PhotoPager) {
            self.pager = pager
        }

        /// Returns the next page; nil after the last one.
        public mutating func next() async throws -> PhotoPage? {
            let pager = pager
            let task = next ?? Task { try await pager.next() }
            next = nil
            let page = try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
            if page != nil { next = Task { try await pager.next() } }
            return page
        }
    }
}

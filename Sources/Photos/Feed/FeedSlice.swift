import PhotoLibrary
import Primitives

struct FeedSlice: Sendable {
    let snapshot: UInt64
    /// Determines the slice of a request; nil if it was cut short, or is of a snapshot without pages.
    let key: SliceKey?
    var photos: [Photo]
    /// The start of the next slice; nil at the end of the feed.
    let next: FeedSnapshot.Position?
    /// The marks of the photos before `next`, for its cursor.
    let marks: [UInt32]
    /// The time at which the last page of the slice was fetched, for its cursor.
    let lastFetched: Instant?
    /// The start of the slice of the same length before this one; nil at the start, and if a page is missing.
    let previous: FeedSnapshot.Position?
    let total: Int?
    /// The time at which the oldest page of the slice was fetched; nil after the end of the feed.
    let fetched: Instant?
    /// The number of duplicates removed from the pages that begin in the slice.
    let removedDuplicates: Int
}

/// Photos that a client excludes.
struct PhotoFilter: Sendable, Hashable {
    var excludesSponsored = false
    var excludesPremium = false

    func admits(_ photo: Photo) -> Bool {
        !(excludesSponsored && photo.sponsored) && !(excludesPremium && photo.premium)
    }
}

extension FeedSnapshot {
    /// Returns the photos of a request from `start` on, across as many pages as needed.
    ///
    /// Of a request by number, photos that the filter excludes count, so that slices by number meet without a duplicate.
    /// Photos with one of the `marks` are skipped. A `short` slice ends at a missing page, unless it is the first.
    func slice(
        _ request: FeedLibrary.Request,
        from start: Position,
        skipping marks: [UInt32],
        short: Bool
    ) throws(FeedLibrary.PageKey) -> FeedSlice {
        let (limit, filter) = (request.limit, request.filter)
        var photos: [Photo] = []
        var count = 0
        var position = start
        var oldest: Instant?
        var last: Instant?
        var removed = 0
        var isCutShort = false
        let seen = Set(marks)
        var unmet = seen
        while true {
            if let lastPage, position.page > lastPage { break }
            guard let page = pages[position.page] else {
                guard short, oldest != nil else { throw key(ofPage: position.page) }
                isCutShort = true
                break
            }
            oldest = min(oldest ?? page.fetched, page.fetched)
            last = page.fetched
            if position.index == 0 { removed += page.removed }
            while count < limit, position.index < page.photos.count {
                let photo = page.photos[position.index]
                let isSeen = !seen.isEmpty && seen.contains(page.marks[position.index])
                if isSeen { unmet.remove(page.marks[position.index]) }
                position.index += 1
                let isAdmitted = filter.admits(photo) && !isSeen
                if isAdmitted { photos.append(photo) }
                if isAdmitted || request.isByNumber { count += 1 }
            }
            if position.index >= page.photos.count { position = Position(page: position.page + 1, index: 0) }
            if count == limit { break }
        }
        let before = self.marks(before: position)
        unmet.subtract(before)
        let atEnd = lastPage.map { position.page > $0 } ?? false
        let isDetermined = !isCutShort && !pages.isEmpty
        return FeedSlice(
            snapshot: id,
            key: isDetermined ? SliceKey(snapshot: id, revision: revision, start: start) : nil,
            photos: photos,
            next: atEnd ? nil : position,
            marks: Array((marks.filter(unmet.contains) + before).suffix(PageCursor.mostMarks)),
            lastFetched: last,
            previous: start == .start ? nil : self.position(limit, before: start, filter),
            total: total,
            fetched: oldest ?? fetched,
            removedDuplicates: removed
        )
    }

    /// Returns the position of the photo with this number, from 0.
    ///
    /// Exact if all pages before it are known. After a missing page, every page is assumed to be full.
    func position(ofPhoto number: Int) -> Position {
        var index = number
        var page = 1
        while let there = pages[page], index >= there.photos.count {
            index -= there.photos.count
            page += 1
        }
        if pages[page] != nil { return Position(page: page, index: index) }
        return Position(page: page + index / Feed.pageSize, index: index % Feed.pageSize)
    }

    /// Returns the position after the latest photo with one of the marks, for a client with a removed snapshot.
    func position(after marks: [UInt32]) -> Position? {
        // Others have been shown before a removed snapshot, and photos without marks after them.
        let latest = marks.suffix(PageCursor.rememberedPhotos)
        guard !latest.isEmpty else { return nil }
        let recency = Dictionary(zip(latest, latest.indices), uniquingKeysWith: max)
        var best: (recency: Int, position: Position)?
        for (number, page) in pages {
            for (index, mark) in page.marks.enumerated() {
                guard let recency = recency[mark], recency > best?.recency ?? -1 else { continue }
                best = (recency, Position(page: number, index: index + 1))
            }
        }
        return best?.position
    }

    /// The marks of the latest photos before a position, back to the first missing page.
    func marks(before position: Position) -> [UInt32] {
        var marks = Array(pages[position.page]?.marks.prefix(position.index) ?? [])
        var page = position.page - 1
        while marks.count < PageCursor.rememberedPhotos, let there = pages[page] {
            marks = there.marks + marks
            page -= 1
        }
        return marks.suffix(PageCursor.rememberedPhotos)
    }

    /// The position `count` photos of a filter before another, or the start; nil if a page between them is missing.
    private func position(_ count: Int, before position: Position, _ filter: PhotoFilter) -> Position? {
        var rest = count
        var page = position.page
        // A forged cursor may have any index.
        var photos = pages[page]?.photos.prefix(position.index) ?? []
        while true {
            while rest > 0, let photo = photos.popLast() { rest -= filter.admits(photo) ? 1 : 0 }
            if rest == 0 { return Position(page: page, index: photos.count) }
            page -= 1
            guard page >= 1 else { return .start }
            guard let there = pages[page] else { return nil }
            photos = there.photos[...]
        }
    }
}

/// Determines a slice of a request: equal keys mean equal slices, so that a rendered slice can be used again.
struct SliceKey: Sendable, Hashable {
    let snapshot: UInt64
    /// The number of changes of the snapshot so far.
    let revision: Int
    let start: FeedSnapshot.Position
}

/// A run of photos of a snapshot.
package struct FeedSlice: Sendable {
    package let snapshot: UInt64
    /// Nil when it follows from more than its place: from what the client has seen, or from having to be short.
    package let place: FeedPlace?
    package let photos: [Photo]
    /// Where the next slice begins; nil at the end of the feed.
    package let next: FeedSnapshot.Position?
    /// The photos before `next`, as a cursor remembers them.
    package let marks: [UInt32]
    /// Where the slice of the same length before this one begins; nil at the start, and when it is not there.
    package let previous: FeedSnapshot.Position?
    package let total: Int?
    /// When the oldest page it is cut from came from the library; nil behind the end of the feed.
    package let fetched: ContinuousClock.Instant?
    /// How many duplicates were dropped from the pages that begin in it.
    package let removedDuplicates: Int
}

/// What a snapshot says when it is asked for a slice.
package enum SliceOutcome: Sendable {
    case slice(FeedSlice)
    /// This page of the library has to be fetched first.
    case needs(page: Int)
}

/// Which photos a client does not want to see.
package struct PhotoFilter: Sendable, Hashable {
    package var excludesSponsored: Bool
    package var excludesPremium: Bool

    package init(excludesSponsored: Bool = false, excludesPremium: Bool = false) {
        self.excludesSponsored = excludesSponsored
        self.excludesPremium = excludesPremium
    }

    package func admits(_ photo: Photo) -> Bool {
        !(excludesSponsored && photo.sponsored) && !(excludesPremium && photo.premium)
    }
}

extension FeedSnapshot {
    /// Cuts `limit` photos from `start` on, across as many pages as it takes: what was dropped from one page is made
    /// up for from the next.
    ///
    /// Photos that the client has seen, by `PageCursor.mark`, are skipped. A `short` slice is what there is of it rather
    /// than the question for one more page.
    package func slice(
        from start: Position,
        limit: Int,
        filter: PhotoFilter = PhotoFilter(),
        skipping marks: Set<UInt32> = [],
        short: Bool = false
    ) -> SliceOutcome {
        var photos: [Photo] = []
        var position = start
        var oldest: ContinuousClock.Instant?
        var removed = 0
        var isCutShort = false
        while true {
            if let lastPage, position.page > lastPage { break }
            guard let page = pages[position.page] else {
                guard short, oldest != nil else { return .needs(page: position.page) }
                isCutShort = true
                break
            }
            oldest = min(oldest ?? page.fetched, page.fetched)
            if position.index == 0 { removed += page.removed }
            while photos.count < limit, position.index < page.photos.count {
                let photo = page.photos[position.index]
                let isSeen = !marks.isEmpty && marks.contains(page.marks[position.index])
                position.index += 1
                if filter.admits(photo), !isSeen { photos.append(photo) }
            }
            if position.index >= page.photos.count {
                position = Position(page: position.page + 1, index: 0)
            }
            if photos.count == limit { break }
        }
        let atEnd = lastPage.map { position.page > $0 } ?? false
        return .slice(
            FeedSlice(
                snapshot: id,
                place: marks.isEmpty && !isCutShort ? place(from: start, limit: limit, filter: filter) : nil,
                photos: photos,
                next: atEnd ? nil : position,
                marks: self.marks(before: position),
                previous: start == .start ? nil : self.position(limit, before: start),
                total: total,
                fetched: oldest ?? fetched,
                removedDuplicates: removed
            )
        )
    }

    /// What the slice from `start` on follows from, without cutting it.
    func place(from start: Position, limit: Int, filter: PhotoFilter) -> FeedPlace {
        FeedPlace(snapshot: id, revision: revision, start: start, limit: limit, filter: filter)
    }

    /// Where the photo with this number stands, from 0.
    ///
    /// Exact as far as the pages before it are there, as they are for everybody who pages through from the start.
    /// Behind a page that is missing it is where the library would put it, in pages of 30.
    package func position(ofPhoto number: Int) -> Position {
        var rest = number
        var page = 1
        while let there = pages[page], rest >= there.photos.count {
            rest -= there.photos.count
            page += 1
        }
        if pages[page] != nil { return Position(page: page, index: rest) }
        return Position(page: page + rest / Feed.pageSize, index: rest % Feed.pageSize)
    }

    /// Where a client goes on whose own snapshot is gone: behind the latest of its photos that is found here.
    package func position(after marks: [UInt32]) -> Position? {
        guard !marks.isEmpty else { return nil }
        let recency = Dictionary(zip(marks, marks.indices), uniquingKeysWith: max)
        var best: (recency: Int, position: Position)?
        for (number, page) in pages {
            for (index, mark) in page.marks.enumerated() {
                guard let recency = recency[mark], recency > best?.recency ?? -1 else { continue }
                best = (recency, Position(page: number, index: index + 1))
            }
        }
        return best?.position
    }

    /// The latest photos before a position, as far as their pages are there.
    private func marks(before position: Position) -> [UInt32] {
        var marks: [UInt32] = []
        var page = position.page
        var end = position.index
        while marks.count < PageCursor.rememberedPhotos {
            if let there = pages[page] { marks = there.marks.prefix(end) + marks }
            page -= 1
            guard page >= 1, pages[page] != nil else { break }
            end = .max
        }
        return marks.suffix(PageCursor.rememberedPhotos)
    }

    /// The position `count` photos before another, or the start; nil when a page between them is missing.
    private func position(_ count: Int, before position: Position) -> Position? {
        var rest = count
        var page = position.page
        var index = position.index
        while rest > index {
            rest -= index
            page -= 1
            guard page >= 1 else { return .start }
            guard let there = pages[page] else { return nil }
            index = there.photos.count
        }
        return Position(page: page, index: index - rest)
    }
}

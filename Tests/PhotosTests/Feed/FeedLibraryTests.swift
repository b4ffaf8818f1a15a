import Primitives
import Synchronization
import Testing

@testable import Photos

extension FeedLibrary {
    private static let lastID = Atomic<UInt64>(1000)

    /// Inserts a page that was fetched now.
    mutating func insert(_ page: FeedPage, for key: PageKey, now: Instant) {
        insert(page, for: key, fetched: now, id: FeedLibrary.lastID.add(1, ordering: .relaxed).newValue, now: now)
    }
}

@Suite("FeedLibrary")
struct FeedLibraryTests {
    private let start = Instant.now

    /// An upstream feed of numbered photos, which the test can change.
    private struct Upstream {
        var numbers: [Int]
        var calls = 0

        mutating func page(_ number: Int) -> FeedPage {
            calls += 1
            let photos = numbers.dropFirst((number - 1) * 30).prefix(30)
            return (
                photos: photos.map { .sample($0) },
                total: numbers.count,
                hasNext: number * 30 < numbers.count
            )
        }
    }

    private func library(capacity: Int = 1 << 24) -> FeedLibrary {
        FeedLibrary(capacity: capacity)
    }

    private func read(
        _ library: inout FeedLibrary,
        _ upstream: inout Upstream,
        _ start: FeedLibrary.Start,
        limit: Int = 10,
        now: Instant
    ) -> FeedSlice {
        let request = FeedLibrary.Request(feed: .editorial, start: start, limit: limit)
        while true {
            switch library.read(request, now: now) {
            case .slice(let slice, let refresh):
                if let refresh { library.insert(upstream.page(refresh.page), for: refresh, now: now) }
                return slice
            case .fetch(let pageKey):
                library.insert(upstream.page(pageKey.page), for: pageKey, now: now)
            }
        }
    }

    private func key(_ page: Int) -> FeedLibrary.PageKey {
        FeedLibrary.PageKey(feed: .editorial, snapshot: FeedLibrary.newSnapshot, page: page)
    }

    private func cursor(after slice: FeedSlice, _ earlier: [Photo]) -> FeedLibrary.Start? {
        slice.next.map { next in
            .cursor(
                PageCursor(
                    snapshot: slice.snapshot,
                    fetched: WallTime(milliseconds: 0),
                    position: next,
                    marks: (earlier + slice.photos).suffix(PageCursor.rememberedPhotos).map { PageCursor.mark($0.id) }
                ),
                fetched: slice.lastFetched ?? self.start
            )
        }
    }

    private func scroll(
        _ library: inout FeedLibrary,
        _ upstream: inout Upstream,
        from first: FeedLibrary.Start = .first,
        after shown: [Photo] = [],
        now: Instant
    ) -> [Photo] {
        var shown = shown
        var next: FeedLibrary.Start? = first
        while let start = next {
            let slice = read(&library, &upstream, start, now: now)
            next = cursor(after: slice, shown)
            shown += slice.photos
        }
        return shown
    }

    @Test("the list shifts while a client scrolls: it sees no photo twice and misses none")
    func shifts() {
        var library = library()
        var upstream = Upstream(numbers: Array(1...300))
        var shown: [Photo] = []
        var next: FeedLibrary.Start? = .first
        var newest = 0
        while let start = next {
            let slice = read(&library, &upstream, start, now: self.start)
            next = cursor(after: slice, shown)
            shown += slice.photos
            newest -= 1
            upstream.numbers.insert(newest, at: 0)
        }
        #expect(shown.map(\.likes).filter { $0 > 0 } == Array(1...300))
        #expect(Set(shown.map(\.id)).count == shown.count)
    }

    @Test("a cursor continues in its own snapshot while others begin in a newer one")
    func ownSnapshot() {
        var library = library()
        var upstream = Upstream(numbers: Array(1...90))
        let first = read(&library, &upstream, .first, now: start)
        upstream.numbers = Array(-9...90)
        let later = start + .seconds(3700)
        #expect(read(&library, &upstream, .first, now: later).photos.first?.likes == -9)
        guard let cursor = cursor(after: first, []) else {
            Issue.record("there is more")
            return
        }
        #expect(read(&library, &upstream, cursor, now: later).photos.map(\.likes) == Array(11...20))
    }

    @Test(
        "after a restart the cursor continues at its position, even if photos were added",
        arguments: [0, 1, 7, 29, 45]
    )
    func restart(added: Int) {
        var before = library()
        var upstream = Upstream(numbers: Array(1...300))
        var shown: [Photo] = []
        var next: FeedLibrary.Start = .first
        for _ in 0..<12 {
            let slice = read(&before, &upstream, next, now: start)
            next = cursor(after: slice, shown) ?? .first
            shown += slice.photos
        }
        upstream.numbers = Array(1 - added..<301)
        upstream.calls = 0
        var after = library()
        let whole = scroll(&after, &upstream, from: next, after: shown, now: start)
        #expect(whole.map(\.likes) == Array(1...300))
        #expect(upstream.calls <= 9, "nothing before the place is fetched")
    }

    @Test("after a failed fetch, an older snapshot is served")
    func fallsBack() throws {
        var library = library()
        var upstream = Upstream(numbers: Array(1...90))
        let first = read(&library, &upstream, .first, now: start)
        let tomorrow = start + .seconds(3601)
        let request = FeedLibrary.Request(feed: .editorial, start: .first, limit: 10)
        guard case .fetch = library.read(request, now: tomorrow) else {
            Issue.record("after an hour the feed has to be fetched")
            return
        }
        #expect(library.fallback(for: request, now: tomorrow)?.photos == first.photos)
        #expect(library.fallback(for: request, now: start + .seconds(86_401)) == nil)
        let other = FeedLibrary.Request(
            feed: .topic("animals", order: .latest, orientation: nil),
            start: .first,
            limit: 10
        )
        #expect(library.fallback(for: other, now: start) == nil)
    }

    @Test("a fallback never shows a photo that the cursor remembers, nor a page at an unknown position")
    func fallbackOfCursor() throws {
        var library = library()
        var upstream = Upstream(numbers: Array(1...90))
        let first = read(&library, &upstream, .first, limit: 20, now: start)
        let lost = PageCursor(
            snapshot: 999,
            fetched: WallTime(milliseconds: 0),
            position: FeedSnapshot.Position(page: 1, index: 20),
            marks: first.photos.map { PageCursor.mark($0.id) }
        )
        let later = start + .seconds(3601)
        let request = FeedLibrary.Request(feed: .editorial, start: .cursor(lost, fetched: start), limit: 5)
        #expect(library.fallback(for: request, now: later)?.photos.map(\.likes) == Array(21...25))
        let strange = FeedLibrary.Request(
            feed: .editorial,
            start: .cursor(
                PageCursor(snapshot: 999, fetched: WallTime(milliseconds: 0), position: .start, marks: [1, 2, 3]),
                fetched: start
            ),
            limit: 5
        )
        #expect(library.fallback(for: strange, now: later) == nil)
    }

    @Test("the photos held stay within the capacity in bytes")
    func capacity() {
        let most = 200 * Photo.sample(900).cost
        var library = library(capacity: most)
        var upstream = Upstream(numbers: Array(1...900))
        for (second, topic) in ["a", "b", "c", "d", "e", "f", "g", "h"].enumerated() {
            let feed = Feed.topic(topic, order: .latest, orientation: nil)
            let now = start + .seconds(second)
            guard case .fetch(let pageKey) = library.read(.init(feed: feed, start: .first, limit: 30), now: now) else {
                Issue.record("a new feed has to be fetched")
                return
            }
            library.insert(upstream.page(1), for: pageKey, now: now)
            #expect(library.cost <= most)
        }
        #expect(scroll(&library, &upstream, now: start + .seconds(10)).count == 900)
        #expect(library.cost <= most)
    }

    @Test("long texts of photos count")
    func texts() {
        let long = Photo.sample(1, written: String(repeating: "\u{1F33B}", count: 2000))
        #expect(long.cost >= Photo.sample(1).cost + 8000)
        var library = library(capacity: 50_000)
        for number in 1...5 {
            let feed = Feed.topic("t\(number)", order: .latest, orientation: nil)
            let key = FeedLibrary.PageKey(feed: feed, snapshot: FeedLibrary.newSnapshot, page: 1)
            library.insert((photos: [long, .sample(2)], total: 2, hasNext: false), for: key, now: start)
        }
        #expect(library.cost <= 50_000 && library.feeds.count == 4)
    }

    @Test("searches without a response take no memory, and the others are limited")
    func feeds() {
        var library = library()
        for number in 1...200 {
            let feed = Feed.topic("t\(number)", order: .latest, orientation: nil)
            let now = start + .milliseconds(number)
            for _ in 0..<2 { _ = library.read(.init(feed: feed, start: .first, limit: 30), now: now) }
            #expect(library.feeds.count == min(number - 1, 64))
            let key = FeedLibrary.PageKey(feed: feed, snapshot: FeedLibrary.newSnapshot, page: 1)
            library.insert((photos: [.sample(1)], total: 1, hasNext: false), for: key, now: now)
        }
        #expect(library.cost == 64 * (256 + Photo.sample(1).cost))
    }

    @Test("two pages that are fetched at once without a snapshot begin one")
    func atOnce() {
        var library = library()
        var upstream = Upstream(numbers: Array(1...900))
        let (first, far) = (key(1), key(11))
        #expect(library.needs(far, now: start))
        library.insert(upstream.page(1), for: first, now: start)
        #expect(!library.needs(first, now: start))
        library.insert(upstream.page(11), for: far, now: start)
        #expect(library.feeds[.editorial]?.all.count == 1)
        #expect(read(&library, &upstream, .photo(300), now: start).photos.map(\.likes) == Array(301...310))
        #expect(read(&library, &upstream, .first, now: start).photos.map(\.likes) == Array(1...10))
        #expect(upstream.calls == 2)
    }
}

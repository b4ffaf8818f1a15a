import Primitives
import TestSupport
import Testing

@testable import Photos

@Suite("FeedSnapshot")
struct FeedSnapshotTests {
    private let now = Instant.now

    private func page(_ numbers: some Sequence<Int>, hasNext: Bool = true) -> FeedPage {
        (photos: numbers.map { .sample($0) }, total: 100, hasNext: hasNext)
    }

    private func ids(_ slice: FeedSlice) -> [String] { slice.photos.map(\.id) }

    @Test("duplicates within a page and across pages are dropped, and the next page fills the gap")
    func duplicates() throws {
        var snapshot = FeedSnapshot(id: 1, feed: .editorial)
        snapshot.insert(page([1, 2, 2, 3]), number: 1, fetched: now)
        snapshot.insert(page([3, 4, 5, 6], hasNext: false), number: 2, fetched: now)
        let slice = try snapshot.slice(from: .start, limit: 4)
        #expect(slice.photos.map(\.id) == ["photo-1", "photo-2", "photo-3", "photo-4"])
        #expect(slice.removedDuplicates == 2)
        let next = try #require(slice.next)
        #expect(try ids(snapshot.slice(from: next, limit: 4)) == ["photo-5", "photo-6"])
    }

    @Test("missing photos are requested by page")
    func needs() throws {
        var snapshot = FeedSnapshot(id: 1, feed: .editorial)
        var missing = #expect(throws: FeedLibrary.PageKey.self) { try snapshot.slice(from: .start, limit: 10) }
        #expect(missing == FeedLibrary.PageKey(feed: .editorial, snapshot: 1, page: 1))
        snapshot.insert(page(1...5), number: 1, fetched: now)
        missing = #expect(throws: FeedLibrary.PageKey.self) { try snapshot.slice(from: .start, limit: 6) }
        #expect(missing?.page == 2)
        let short = try snapshot.slice(from: .start, limit: 6, short: true)
        #expect(short.photos.count == 5)
        #expect(short.next == FeedSnapshot.Position(page: 2, index: 0))
    }

    @Test("the end is detected by Link, by an empty page, and by page 200 of a search")
    func end() throws {
        var linked = FeedSnapshot(id: 1, feed: .editorial)
        linked.insert(page(1...5, hasNext: false), number: 1, fetched: now)
        #expect(try linked.slice(from: .start, limit: 5).next == nil)

        var emptied = FeedSnapshot(id: 1, feed: .editorial)
        emptied.insert(page(1...5), number: 1, fetched: now)
        emptied.insert(page([], hasNext: true), number: 2, fetched: now)
        let all = try emptied.slice(from: .start, limit: 30)
        #expect(all.photos.count == 5)
        #expect(all.next == nil)

        let search = FeedSnapshot(id: 1, feed: .search("frog"))
        let beyond = FeedSnapshot.Position(page: 201, index: 0)
        #expect(try ids(search.slice(from: beyond, limit: 5)).isEmpty)
    }

    @Test("a page that was returned never changes")
    func stable() throws {
        var snapshot = FeedSnapshot(id: 1, feed: .editorial)
        snapshot.insert(page(1...3), number: 1, fetched: now)
        snapshot.insert(page(7...9), number: 1, fetched: now)
        #expect(try ids(snapshot.slice(from: .start, limit: 3)) == ["photo-1", "photo-2", "photo-3"])
    }

    @Test("a dropped page is fetched again as a whole")
    func dropped() throws {
        var snapshot = FeedSnapshot(id: 1, feed: .editorial)
        snapshot.insert(page(1...3), number: 1, fetched: now)
        snapshot.drop(page: 1)
        #expect(snapshot.cost == 0)
        snapshot.insert(page(1...3), number: 1, fetched: now)
        #expect(try ids(snapshot.slice(from: .start, limit: 3)).count == 3)
    }

    @Test("the next snapshot adopts the later pages and the photos that left the first")
    func adopts() throws {
        var old = FeedSnapshot(id: 1, feed: .editorial)
        old.insert(page(1...30), number: 1, fetched: now)
        old.insert(page(31...60), number: 2, fetched: now)
        old.insert(page(61...90), number: 3, fetched: now - .seconds(7200))
        var new = FeedSnapshot(id: 2, feed: .editorial)
        new.insert(page([-2, -1, 0] + Array(1...27)), number: 1, fetched: now)
        new.adopt(old, youngerThan: .seconds(3600), now: now)
        #expect(Set(new.pages.keys) == [1, 2], "the third page is too old")
        let photos = try ids(new.slice(from: .start, limit: 63))
        #expect(photos == (-2...60).map { "photo-\($0)" })
    }

    @Test("nothing is adopted if the first pages have no photo in common")
    func adoptsNothing() {
        var old = FeedSnapshot(id: 1, feed: .editorial)
        old.insert(page(1...30), number: 1, fetched: now)
        old.insert(page(31...60), number: 2, fetched: now)
        var new = FeedSnapshot(id: 2, feed: .editorial)
        new.insert(page(101...130), number: 1, fetched: now)
        new.adopt(old, youngerThan: .seconds(3600), now: now)
        #expect(Set(new.pages.keys) == [1])
    }

    @Test("photo numbers are exact from the start; behind a missing page they are those of the library")
    func positions() {
        var snapshot = FeedSnapshot(id: 1, feed: .editorial)
        snapshot.insert(page(1...28), number: 1, fetched: now)
        #expect(snapshot.position(ofPhoto: 27) == FeedSnapshot.Position(page: 1, index: 27))
        #expect(snapshot.position(ofPhoto: 28) == FeedSnapshot.Position(page: 2, index: 0))
        #expect(snapshot.position(ofPhoto: 28 + 65) == FeedSnapshot.Position(page: 4, index: 5))
    }

    @Test(
        "a scroll shows each photo once, for any sizes, duplicates and order of arrival",
        arguments: 0..<50
    )
    func everyPhotoOnce(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let upstream = (1...6).map { number in
            page(
                (0..<30).map { _ in Int.random(in: (number - 1) * 20...(number + 1) * 20, using: &random) },
                hasNext: number < 6
            )
        }
        let everything = Set(upstream.flatMap(\.photos).map(\.id))
        var snapshot = FeedSnapshot(id: 1, feed: .editorial)
        snapshot.insert(upstream[3], number: 4, fetched: now)
        var shown: [String] = []
        var position: FeedSnapshot.Position? = .start
        while let start = position {
            do {
                let slice = try snapshot.slice(from: start, limit: .random(in: 1...100, using: &random))
                shown += slice.photos.map(\.id)
                position = slice.next
            } catch {
                snapshot.insert(upstream[error.page - 1], number: error.page, fetched: now)
            }
        }
        #expect(shown.count == everything.count)
        #expect(Set(shown) == everything)
    }
}

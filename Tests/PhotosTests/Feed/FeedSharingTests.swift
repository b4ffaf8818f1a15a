import Primitives
import Testing

@testable import Photos

@Suite("FeedLibrary of several replicas")
struct FeedSharingTests {
    private let start = Instant.now

    private func library(capacity: Int = 10_000) -> FeedLibrary {
        FeedLibrary(capacity: capacity)
    }

    private func page(_ numbers: Range<Int>, hasNext: Bool = true) -> FeedPage {
        (photos: numbers.map { .sample($0) }, total: 300, hasNext: hasNext)
    }

    private func key(_ snapshot: UInt64, _ page: Int) -> FeedLibrary.PageKey {
        FeedLibrary.PageKey(feed: .editorial, snapshot: snapshot, page: page)
    }

    private func kept(_ snapshot: UInt64, _ page: Int, _ numbers: Range<Int>, fetched: Instant) -> KeptPage {
        KeptPage(
            snapshot: snapshot,
            number: page,
            photos: numbers.map { .sample($0) },
            removed: 0,
            fetched: fetched,
            total: 300,
            lastPage: nil
        )
    }

    private func ids(_ library: inout FeedLibrary, limit: Int, now: Instant) -> [String]? {
        let request = FeedLibrary.Request(feed: .editorial, start: .first, limit: limit)
        guard case .slice(let slice, _) = library.read(request, now: now) else { return nil }
        return slice.photos.map(\.id)
    }

    @Test("a draft inserts nothing; installed, it is the page without the photos of other pages")
    func draft() {
        var library = library()
        let first = library.draft(page(0..<30), for: key(1, 1), as: 100, now: start)
        #expect(library.count == 0)
        #expect(first.map(\.snapshot) == [100] && first.map(\.number) == [1])
        library.install(first, of: .editorial, now: start)
        let second = library.draft(page(25..<55), for: key(100, 2), as: 100, now: start)
        #expect(second.map(\.removed) == [5])
        library.install(second, of: .editorial, now: start)
        #expect(ids(&library, limit: 60, now: start) == nil)
        #expect(ids(&library, limit: 55, now: start) == (0..<55).map { "photo-\($0)" })
    }

    @Test("the draft of a new snapshot has the pages that it adopts")
    func adopts() {
        var library = library()
        library.install(library.draft(page(0..<30), for: key(1, 1), as: 100, now: start), of: .editorial, now: start)
        library.install(library.draft(page(30..<60), for: key(100, 2), as: 100, now: start), of: .editorial, now: start)
        let later = start + .seconds(400)
        let new = library.draft(page(-2..<28), for: key(1, 1), as: 200, now: later)
        #expect(new.map(\.number) == [1, 2])
        #expect(new[1].photos.map(\.id) == (28..<60).map { "photo-\($0)" })
        #expect(new[1].fetched == start)
        var other = self.library()
        other.install(new, of: .editorial, now: later)
        #expect(ids(&other, limit: 60, now: later) == (-2..<58).map { "photo-\($0)" })
    }

    @Test("any order of installation gives the same pages and the same current snapshot")
    func order() {
        let pages = [
            kept(100, 1, 0..<30, fetched: start), kept(100, 2, 30..<60, fetched: start),
            kept(200, 1, 5..<35, fetched: start + .seconds(1)), kept(300, 2, 90..<120, fetched: start + .seconds(2)),
            kept(300, 1, 60..<90, fetched: start + .seconds(2)),
        ]
        for _ in 0..<50 {
            var library = library()
            for page in pages.shuffled() { library.install([page], of: .editorial, now: start + .seconds(3)) }
            #expect(ids(&library, limit: 60, now: start + .seconds(3)) == (60..<120).map { "photo-\($0)" })
            for (key, isMissing) in [
                (key(100, 2), false), (key(200, 1), false), (key(300, 2), false), (key(200, 2), true),
            ] {
                #expect((library.need(of: key, now: start + .seconds(3)) == .page) == isMissing)
            }
        }
    }

    @Test("the oldest snapshots are displaced, and expired pages are not installed")
    func displaced() {
        var library = library()
        func install(_ page: KeptPage) { library.install([page], of: .editorial, now: start) }
        for id in 1...6 as ClosedRange<UInt64> { install(kept(id, 1, 0..<30, fetched: start)) }
        install(kept(1, 2, 30..<60, fetched: start))
        install(kept(7, 1, 0..<30, fetched: start - .seconds(86_400)))
        for id in 1...7 as ClosedRange<UInt64> {
            // A page of a displaced snapshot, or of one that was not installed, is found in the current one.
            #expect((library.need(of: key(id, 3), now: start) == .page) == (2...6).contains(id))
        }
        // Page 2 was adopted: it is older than its snapshot.
        install(kept(6, 2, 30..<60, fetched: start - .seconds(86_400)))
        #expect(library.need(of: key(6, 2), now: start) == .nothing)
    }

    @Test("a fetch needs a page, a newer snapshot, or nothing any more")
    func needs() {
        var library = library()
        #expect(library.need(of: key(1, 1), now: start) == .snapshot(after: nil))
        library.install([kept(100, 1, 0..<30, fetched: start)], of: .editorial, now: start)
        #expect(library.need(of: key(1, 1), now: start) == .nothing, "a fresh snapshot has come")
        #expect(library.need(of: key(100, 1), now: start) == .nothing)
        #expect(library.need(of: key(100, 2), now: start) == .page)
        #expect(library.need(of: key(1, 1), now: start + .seconds(301)) == .snapshot(after: 100))
    }

    @Test("a cursor is unknown if its snapshot is not here")
    func unknown() {
        var library = library()
        library.install([kept(100, 1, 0..<30, fetched: start)], of: .editorial, now: start)
        func isUnknown(_ snapshot: UInt64, now: Instant) -> Bool {
            let cursor = PageCursor(snapshot: snapshot, position: .start, marks: [])
            let request = FeedLibrary.Request(feed: .editorial, start: .cursor(cursor), limit: 1)
            return library.isUnknown(request, now: now)
        }
        #expect(!isUnknown(100, now: start))
        #expect(isUnknown(100, now: start + .seconds(86_400)))
        #expect(isUnknown(101, now: start))
        #expect(!library.isUnknown(.init(feed: .editorial, start: .first, limit: 1), now: start))
        #expect(!library.isUnknown(.init(feed: .editorial, start: .photo(9), limit: 1), now: start))
    }

    @Test("ids of snapshots grow, even if the clock goes back, and no input ends the process")
    func ids() {
        let first = FeedLibrary.snapshotID(milliseconds: 1_700_000_000_000, after: nil, random: .max)
        #expect(FeedLibrary.snapshotID(milliseconds: 1_700_000_000_001, after: first, random: 0) > first)
        #expect(FeedLibrary.snapshotID(milliseconds: 5, after: first, random: 0) > first)
        #expect(FeedLibrary.snapshotID(milliseconds: 5, after: nil, random: 1 << 42) == 5 << 22 | 1)
        #expect(FeedLibrary.snapshotID(milliseconds: -1, after: nil, random: 0) == 0)
        _ = FeedLibrary.snapshotID(milliseconds: .max, after: .max, random: .max)
    }

    @Test("pages of other replicas stay within the capacity")
    func capacity() {
        var library = library(capacity: 90)
        for number in 1...10 {
            let page = kept(100, number, number * 30..<number * 30 + 30, fetched: start + .seconds(number))
            library.install([page], of: .editorial, now: start + .seconds(10))
        }
        #expect(library.count <= 90)
    }
}

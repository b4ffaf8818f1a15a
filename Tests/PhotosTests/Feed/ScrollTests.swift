import HTTPExchange
import HTTPTypes
import JSON
import PhotoLibrary
import Photos
import Primitives
import ServiceHarness
import TestSupport
import Testing

@Suite("Scrolling through a list that changes")
struct ScrollTests {
    /// Scrolls to the end, and returns all ids; `change` is called before each page.
    private func scroll(
        _ fixture: PhotoFixture,
        from cursor: String? = nil,
        limit: () -> Int = { 10 },
        change: () -> Void = {}
    ) async throws -> [String] {
        var ids: [String] = []
        var position = cursor.map { "&cursor=\($0)" }
        repeat {
            change()
            let page = try await fixture.get("/v1/photos?limit=\(limit())\(position ?? "")")
            try #require(page.status == .ok)
            ids += try page.ids()
            position = try page.page()["nextCursor"].unlessNull.map { "&cursor=\(try $0.string())" }
        } while position != nil
        return ids
    }

    private func ids(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "p\($0)" } }

    @Test("the list shifts while a client scrolls: it sees no photo twice and misses none")
    func shifts() async throws {
        let fixture = try PhotoFixture(FakeLibrary(photos: 300))
        var newest = 1000
        let shown = try await scroll(
            fixture,
            change: {
                fixture.library.set { $0.numbers.insert(newest, at: 0) }
                newest += 1
            }
        )
        #expect(shown == ids([1000] + Array(1...300)))
    }

    /// Photos repeat on their page and on the next ones, and a page in the middle is there first.
    @Test("each photo is shown once, for any sizes and duplicates", arguments: 0..<20)
    func everyPhotoOnce(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let library = FakeLibrary()
        let numbers = (0..<600).map { index in Int.random(in: index / 30 * 20...(index / 30 + 2) * 20, using: &random) }
        library.set { $0.numbers = numbers }
        let fixture = try PhotoFixture(library)
        _ = try await fixture.get("/v1/photos?page=4&perPage=30")
        let shown = try await scroll(fixture, limit: { Int.random(in: 1...100, using: &random) })
        #expect(shown.count == Set(numbers).count && Set(shown) == Set(ids(numbers)))
    }

    @Test("a list that is larger than the cache is shown as a whole")
    func largerThanCache() async throws {
        // A quarter of a megabyte is for feeds: some 200 photos.
        let fixture = try PhotoFixture(FakeLibrary(photos: 900), answerCacheBytes: 1 << 20)
        #expect(try await scroll(fixture, limit: { 45 }) == ids(1...900))
    }

    @Test("a cursor continues in its own list while others begin with a newer one")
    func ownList() async throws {
        let fixture = try PhotoFixture()
        let cursor = try await fixture.get("/v1/photos").page()["nextCursor"].string()
        fixture.library.set { $0.numbers.insert(contentsOf: 1000...1009, at: 0) }
        fixture.wait(.seconds(3700))
        #expect(try await fixture.get("/v1/photos").ids() == ids(1000...1009))
        #expect(try await fixture.get("/v1/photos?cursor=\(cursor)").ids() == ids(11...20))
        #expect(fixture.library.calls.count == 2)
    }

    @Test("a page that was fetched before an earlier one does not hide what has moved to it", arguments: [1, 2, 30])
    func earlierPageLast(added: Int) async throws {
        let fixture = try PhotoFixture(FakeLibrary(photos: 120))
        let far = try await fixture.get("/v1/photos?page=2&perPage=30").page()["nextCursor"].string()
        fixture.library.set { $0.numbers.insert(contentsOf: 1000..<1000 + added, at: 0) }
        fixture.wait(.seconds(1))
        #expect(try await scroll(fixture, limit: { 30 }) == ids(Array(1000..<1000 + added) + Array(1...120)))
        #expect(try await scroll(fixture, from: far) == ids(61...120), "the first client goes on in its own list")
    }

    @Test("a page that another client has read in front of a client hides nothing from it", arguments: [1, 35, 100])
    func laterPageFirst(added: Int) async throws {
        let fixture = try PhotoFixture(FakeLibrary(photos: 240))
        let cursor = try await fixture.get("/v1/photos?limit=44").page()["nextCursor"].string()
        fixture.wait(.seconds(1))
        let far = try await fixture.get("/v1/photos?page=6&perPage=30").page()["nextCursor"].string()
        fixture.library.set { $0.numbers.insert(contentsOf: 1000..<1000 + added, at: 0) }
        fixture.wait(.seconds(1))
        let shown = try await scroll(fixture, from: cursor, limit: { 30 })
        #expect(shown.filter { $0.utf8.count < 5 } == ids(45...240) && Set(shown).count == shown.count)
        let other = try await scroll(fixture, from: far, limit: { 30 })
        #expect(Set(other).isDisjoint(with: ids(151...180)) && Set(other).isSuperset(of: ids(181...240)))
    }

    /// Two clients scroll, others read pages, photos are added, time passes and the service restarts.
    ///
    /// In each step a client may only get the next photos of the first list, and new ones.
    @Test("no photo is shown twice or left out, whatever happens between two pages", arguments: 0..<10)
    func anyHistory(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (library, clock) = (FakeLibrary(photos: 240), TestClock())
        func service() throws -> PhotoFixture { try PhotoFixture(library, rateLimit: 10_000, clock: clock) }
        var fixture = try service()
        var clients = Array(repeating: (shown: [String](), next: "", added: 0), count: 2)
        var added = 0
        for _ in 0..<40 {
            clock.advance(by: .seconds([0, 1, 30, 301, 3601].randomElement(using: &random) ?? 0))
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                // Between two pages of a client at most as many as its cursor remembers.
                let most = 61 - (clients.map { added - $0.added }.max() ?? 0)
                let count = min(most, [1, 7, 31].randomElement(using: &random) ?? 0)
                library.set { $0.numbers.insert(contentsOf: 1000 + added..<1000 + added + count, at: 0) }
                added += count
            case 1: fixture = try service()
            case 2...3:
                let path =
                    ["/v1/photos?perPage=30", "/unsplash/photos?per_page=30"].randomElement(using: &random) ?? ""
                _ = try await fixture.get("\(path)&page=\(Int.random(in: 1...9, using: &random))", fields: [.host: "h"])
            default:
                let index = Int.random(in: 0..<2, using: &random)
                let limit = [5, 10, 30, 44].randomElement(using: &random) ?? 0
                let page = try await fixture.get("/v1/photos?limit=\(limit)\(clients[index].next)")
                clients[index].shown += try page.ids()
                let old = clients[index].shown.filter { $0.utf8.count < 5 }
                try #require(old == ids(1..<1 + old.count))
                try #require(Set(clients[index].shown).count == clients[index].shown.count)
                let cursor = try page.page()["nextCursor"].unlessNull?.string()
                if let cursor { clients[index].next = "&cursor=\(cursor)" } else { clients[index] = ([], "", 0) }
                clients[index].added = added
            }
            await fixture.settle()
        }
    }

    @Test("a fetch that began before the page before it had arrived is not used for the next page")
    func joinedTooEarly() async throws {
        let fixture = try PhotoFixture(FakeLibrary(photos: 120))
        fixture.library.close()
        async let early = fixture.get("/unsplash/photos?page=2&per_page=30", fields: [.host: "h"])
        try await waitUntil { fixture.library.calls.count == 1 }
        fixture.wait(.seconds(1))
        async let first = fixture.get("/v1/photos?limit=30")
        try await waitUntil { fixture.library.calls.count == 2 }
        fixture.library.open()
        let cursor = try await first.page()["nextCursor"].string()
        #expect(try await early.status == .ok)
        _ = try await fixture.get("/v1/photos?limit=30&cursor=\(cursor)")
        #expect(fixture.library.calls.count { $0.contains("page=2&") } == 2)
    }

    @Test(
        "after a restart no photo is shown again, and each next one is, even if many were added",
        arguments: [1, 7, 18],
        [0, 25, 35, 61, 100, 119]
    )
    func restartAfterManyNew(pages: Int, added: Int) async throws {
        let (library, clock) = (FakeLibrary(photos: 240), TestClock())
        let old = try PhotoFixture(library, clock: clock)
        var cursor = ""
        for _ in 0..<pages {
            cursor = try await "&cursor=" + old.get("/v1/photos?limit=10\(cursor)").page()["nextCursor"].string()
        }
        library.set { $0.numbers.insert(contentsOf: 1000..<1000 + added, at: 0) }
        clock.advance(by: .seconds(1))
        let calls = library.calls.count
        let new = try PhotoFixture(library, clock: clock)
        let first = try await new.get("/v1/photos?limit=10\(cursor)")
        #expect(try first.ids().count == 10 && library.calls.count - calls <= 6)
        let next = try first.page()["nextCursor"].string()
        let shown = try await first.ids() + scroll(new, from: next, limit: { 100 })
        #expect(shown.filter { $0.utf8.count < 5 } == ids(pages * 10 + 1...240) && Set(shown).count == shown.count)
    }

    @Test("the page before is that of the photos which the filter admits")
    func previousOfFilter() async throws {
        let fixture = try PhotoFixture()
        let target = "/v1/photos?sponsored=exclude&limit=10"
        let first = try await fixture.get(target)
        let second = try await fixture.get("\(target)&cursor=\(try first.page()["nextCursor"].string())")
        let third = try await fixture.get("\(target)&cursor=\(try second.page()["nextCursor"].string())")
        let back = try await fixture.get("\(target)&cursor=\(try third.page()["previousCursor"].string())")
        #expect(try back.ids() == second.ids())
    }

    @Test(
        "after a restart a cursor continues at its position, even if photos were added",
        arguments: [0, 1, 7, 29, 45]
    )
    func restart(added: Int) async throws {
        let library = FakeLibrary(photos: 300)
        let before = try PhotoFixture(library)
        let page = try await before.get("/v1/photos?page=12&perPage=10")
        #expect(try page.ids() == ids(111...120))
        library.set { $0.numbers.insert(contentsOf: 1000..<1000 + added, at: 0) }
        let calls = library.calls.count
        let shown = try await scroll(PhotoFixture(library), from: page.page()["nextCursor"].string())
        #expect(shown == ids(121...300))
        #expect(library.calls.count - calls <= 9, "only one page before the position is fetched")
    }

    @Test("if the library fails, a cursor of another process continues behind its photos, or not at all")
    func fallback() async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/v1/photos")
        let other = FakeLibrary()
        other.set { $0.numbers = Array(500...590) }
        var cursors: [String] = []
        for library in [FakeLibrary(), other] {
            let page = try await PhotoFixture(library).get("/v1/photos?limit=20").page()
            cursors.append(try page["nextCursor"].string())
        }
        fixture.wait(.seconds(3601))
        fixture.library.set { $0.failure = .timedOut }
        let known = try await fixture.get("/v1/photos?limit=5&cursor=\(cursors[0])")
        #expect(try known.ids() == ids(21...25) && known.page()["stale"].bool())
        #expect(try await fixture.get("/v1/photos?limit=5&cursor=\(cursors[1])").code == "upstream-timeout")
    }

    @Test("two pages that are fetched at once begin one list")
    func atOnce() async throws {
        let fixture = try PhotoFixture(FakeLibrary(photos: 900))
        fixture.library.close()
        async let first = fixture.get("/v1/photos")
        async let far = fixture.get("/v1/photos?page=31&perPage=10")
        try await waitUntil { fixture.library.calls.count == 2 }
        fixture.library.open()
        #expect(try await first.ids() == ids(1...10))
        #expect(try await far.ids() == ids(301...310))
        for target in ["/v1/photos", "/v1/photos?page=31&perPage=10"] {
            #expect(try await fixture.ask(target).isNow)
        }
    }

    @Test(
        "a new list has the later pages of the old one if it continues that, and no others",
        arguments: [true, false]
    )
    func adopted(continues: Bool) async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/v1/photos?limit=60")
        let numbers = continues ? [1000, 1001] + Array(1...90) : Array(501...590)
        fixture.library.set { $0.numbers = numbers }
        fixture.wait(.seconds(301))
        _ = try await fixture.get("/v1/photos")
        await fixture.settle()
        #expect(try await fixture.get("/v1/photos?limit=60").ids() == ids(numbers.prefix(60)))
        #expect(fixture.library.calls.count == (continues ? 3 : 4))
    }

    @Test("a page of duplicates alone is passed over, and many of them end a page of the client early")
    func onlyDuplicates() async throws {
        let library = FakeLibrary()
        library.set { $0.numbers = Array(repeating: Array(1...30), count: 9).flatMap(\.self) + Array(31...60) }
        let fixture = try PhotoFixture(library)
        let page = try await fixture.get("/v1/photos?limit=60")
        #expect(try page.ids() == ids(1...30))
        #expect(try page.page()["removedDuplicates"].integer() == 240)
        let next = try await fixture.get("/v1/photos?limit=60&cursor=\(page.page()["nextCursor"].string())")
        #expect(try next.ids() == ids(31...60) && next.page()["nextCursor"].isNull)
    }

    @Test("a list ends before an empty page, and a search after page 200")
    func end() async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/v1/photos?limit=30")
        fixture.library.set { $0.numbers = Array(1...30) }
        let page = try await fixture.get("/v1/photos?limit=40")
        #expect(try page.ids() == ids(1...30) && page.page()["nextCursor"].isNull)
        let calls = fixture.library.calls.count
        #expect(try await fixture.get("/v1/search/photos?query=x&page=601&perPage=10").ids().isEmpty)
        #expect(fixture.library.calls.count == calls)
    }
}

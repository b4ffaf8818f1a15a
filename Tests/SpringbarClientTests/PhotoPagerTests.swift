import Foundation
import TestSupport
import Testing

@testable import SpringbarClient

@Suite("The pager of photos")
struct PhotoPagerTests {
    @Test("Pages have no photo twice, and the next one is loaded while one is used")
    func pages() async throws {
        let library = Library(pages: [["a", "b"], ["b", "c"], ["c", "d"]])
        let pager = PhotoPager { try await library.page($0) }
        var ids: [[String]] = []
        for try await page in pager { ids.append(page.items.map(\.id)) }
        #expect(ids == [["a", "b"], ["c"], ["d"]])
        #expect(await pager.items.map(\.id) == ["a", "b", "c", "d"])
        #expect(try await pager.next() == nil)
    }

    @Test("A page without a cursor is the last one")
    func withoutCursor() async throws {
        let library = Library(pages: [["a"], ["b"]], hasCursors: false)
        let pager = PhotoPager { try await library.page($0) }
        #expect(try await pager.next()?.items.count == 1)
        #expect(try await pager.next() == nil)
    }

    @Test("A failure skips no page")
    func failure() async throws {
        let library = Library(pages: [["a"], ["b"]])
        let pager = PhotoPager { try await library.page($0) }
        await library.fail(next: 1)
        await #expect(throws: Problem.self) { try await pager.next() }
        #expect(try await pager.next()?.items.map(\.id) == ["a"])
        await library.fail(next: 1)
        await #expect(throws: Problem.self) { try await pager.next() }
        #expect(try await pager.next()?.items.map(\.id) == ["b"])
    }

    @Test("A loop that is left loses no page")
    func left() async throws {
        let library = Library(pages: [["a"], ["b"], ["c"], ["d"]])
        let pager = PhotoPager { try await library.page($0) }
        for round in ["a", "b"] {
            for try await page in pager {
                #expect(page.items.map(\.id) == [round])
                break
            }
            // The page after it is loaded meanwhile.
            while await library.loads < (round == "a" ? 2 : 3) { await Task.yield() }
        }
        #expect(try await pager.next()?.items.map(\.id) == ["c"])
        #expect(try await pager.next()?.items.map(\.id) == ["d"])
        #expect(try await pager.next() == nil)
        #expect(await library.loads == 4)
    }

    @Test("A page is loaded until the last task that waits for it is cancelled", .timeLimit(.minutes(1)))
    func cancelled() async throws {
        let library = Library(pages: [["a"]])
        let gate = Gate()
        let pager = PhotoPager { cursor in
            try await gate.pass()
            return try await library.page(cursor)
        }
        let waiting = (0..<3).map { _ in Task { try await pager.next() } }
        try await waitUntil { gate.starts > 0 }
        for task in waiting.prefix(2) {
            task.cancel()
            // It does not wait for the page.
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        gate.open()
        #expect(try await waiting[2].value?.items.map(\.id) == ["a"])
        #expect(gate.starts == 1)
    }

    @Test("Only a photo near the end loads the next page")
    func reached() async throws {
        let library = Library(pages: [["a", "b", "c", "d"], ["e"]])
        let pager = PhotoPager(ahead: 2) { try await library.page($0) }
        #expect(try await pager.reached(0).count == 4)
        #expect(try await pager.reached(1).isEmpty)
        #expect(try await pager.reached(2).map(\.id) == ["e"])
        #expect(await library.loads == 2)
    }

    @Test("Tasks that ask at the same time share one page")
    func shared() async throws {
        let library = Library(pages: [["a"], ["b"]])
        let pager = PhotoPager { try await library.page($0) }
        async let first = pager.next()
        async let second = pager.next()
        let pages = try await [first, second].compactMap { $0?.items.map(\.id) }
        // The second task may come so late that it gets the second page.
        #expect(pages == [["a"], ["a"]] || Set(pages) == [["a"], ["b"]])
    }

    @Test("The pixels of a picture are those that the service produces")
    func pixels() {
        func query(_ width: Double, _ height: Double? = nil, _ scale: Double = 1) -> String {
            let request = Photos.image(Photo(named: "a"), width: width, height: height, scale: scale)
            return String(request.target.split(separator: "?")[1])
        }
        #expect(query(1) == "w=200" && query(200) == "w=200" && query(200.2) == "w=320")
        #expect(query(390, 100, 3) == "w=1200&h=308" && query(9000) == "w=2400")
        // No height is larger than the largest of the service.
        #expect(query(1000, 1000, 3) == "w=2400&h=2400" && query(10, 1000) == "w=200&h=2400")
        #expect(query(375, 500, 2) == "w=750&h=1000")
        #expect(Photos.image(Photo(named: "a b"), width: 1, height: nil, scale: 1).path == "/v1/photos/a%20b/image")
        // A service with tokens signs its links.
        let signed = Photo(named: "a", image: "/v1/photos/a/image/thumb?s=Ab-_0")
        #expect(Photos.image(signed, width: 1, height: nil, scale: 1).target == "/v1/photos/a/image?w=200&s=Ab-_0")
    }

    @Test(
        "The moment of the upload is that of the text",
        arguments: [
            ("2026-11-21T03:04:05Z", 1_795_230_245), ("2000-02-29T12:00:00Z", 951_825_600),
            ("2026-13-01T00:00:00Z", nil), ("", nil), (nil, nil),
        ] as [(String?, Double?)]
    )
    func created(text: String?, seconds: Double?) {
        #expect(Photo(named: "a", createdAt: text).created?.timeIntervalSince1970 == seconds)
    }
}

/// A library with a few pages; its next loads can fail.
private actor Library {
    private let pages: [[String]]
    private var failures = 0
    private(set) var loads = 0

    private let hasCursors: Bool

    init(pages: [[String]], hasCursors: Bool = true) {
        self.pages = pages
        self.hasCursors = hasCursors
    }

    func fail(next count: Int) { failures = count }

    func page(_ cursor: String?) throws -> PhotoPage {
        if failures > 0 {
            failures -= 1
            throw Problem(code: "unreachable", detail: "The library is away.")
        }
        loads += 1
        let index = cursor.flatMap(Int.init) ?? 0
        let isLast = index == pages.count - 1
        return PhotoPage(
            items: pages[index].map { Photo(named: $0) },
            page: .init(
                nextCursor: isLast || !hasCursors ? nil : "\(index + 1)",
                hasMore: !isLast,
                totalEstimate: nil,
                ageSeconds: 0,
                stale: false,
                removedDuplicates: 0
            )
        )
    }
}

extension Photo {
    fileprivate init(named id: String, createdAt: String? = nil, image: String? = nil) {
        self.init(
            id: id,
            slug: id,
            width: 1,
            height: 1,
            aspectRatio: 1,
            description: id,
            color: nil,
            blurHash: nil,
            placeholder: "",
            images: image.map { ["thumb": Picture(url: $0, width: 200, height: 200)] } ?? [:],
            hotlinks: [:],
            attribution: .init(text: "", html: "", photographerUrl: "", unsplashUrl: ""),
            user: .init(username: "", name: ""),
            createdAt: createdAt,
            likes: 0,
            sponsored: false,
            premium: false
        )
    }
}

import HTTPExchange
import HTTPTypes
import JSON
import Primitives
import ServiceHarness
import Testing

@testable import PhotoLibrary
@testable import Photos

@Suite("PageCursor")
struct PageCursorTests {
    private let cursor = PageCursor(
        snapshot: 0xdead_beef_0123_4567,
        fetched: WallTime(milliseconds: 1_700_000_000_123),
        position: FeedSnapshot.Position(page: 20, index: 7),
        marks: (0..<100).map { PageCursor.mark("photo-\($0)") }
    )

    @Test("a cursor is read as it was written, and remembers only the latest photos")
    func roundTrip() throws {
        let text = cursor.text(for: .editorial)
        #expect(text.utf8.count == 400)
        let back = try #require(PageCursor(text, for: .editorial))
        #expect(back == cursor)
        #expect(back.marks.count == PageCursor.mostMarks)
        #expect(back.marks.last == PageCursor.mark("photo-99"))
    }

    @Test("any change of any character is refused", arguments: 0..<400)
    func tampered(position: Int) {
        var characters = Array(cursor.text(for: .editorial))
        characters[position] = characters[position] == "A" ? "B" : "A"
        #expect(PageCursor(String(characters), for: .editorial) == nil)
    }

    @Test("a truncated, extended or empty cursor is refused")
    func cut() {
        let text = cursor.text(for: .editorial)
        for length in 0..<text.count { #expect(PageCursor(String(text.prefix(length)), for: .editorial) == nil) }
        #expect(PageCursor(text + "A", for: .editorial) == nil)
        #expect(PageCursor(String(repeating: "A", count: 10_000), for: .editorial) == nil)
    }

    @Test("a cursor of 1.0 is read, and its page is never too old")
    func timeless() throws {
        // From Tests/Contract/released/records-1.0.json.
        let text = "AQdQNFbJCUDzAAAAAQADA2h5tbXwPGRQYwPd0J9y1YAm"
        let cursor = try #require(PageCursor(text, for: .editorial))
        #expect(cursor.position == FeedSnapshot.Position(page: 1, index: 3))
        #expect(cursor.marks == ["F711GY7FL4F", "JzGZW0AFCdX", "rWTFsEKa0PU"].map(PageCursor.mark))
        #expect(cursor.fetched == WallTime(milliseconds: 0))
        #expect(PageCursor(text, for: .search("frog")) == nil)
    }

    /// Writes a cursor of 1.0 for the first page, as a client can that knows the format.
    private func forged(marks: Int) -> String {
        var bytes: [UInt8] = [1] + Array(repeating: 0, count: 11) + [1, 0, 0, UInt8(marks)]
        for mark in 0..<marks { bytes += [0xff, 0xff, UInt8(mark)] }
        let checksum = SipHash.hash(bytes + Array(Feed.editorial.identity.utf8))
        bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) }
        return Base64.encode(bytes, .url)
    }

    @Test("a forged cursor with more marks than others is refused, and one with foreign marks skips nothing")
    func forgery() async throws {
        let fixture = try PhotoFixture()
        let first = try await fixture.get("/v1/photos").ids()
        let most = try await fixture.get("/v1/photos?cursor=\(forged(marks: PageCursor.mostMarks))")
        #expect(try most.ids() == first)
        let next = try await fixture.get("/v1/photos?cursor=\(most.page()["nextCursor"].string())")
        #expect(try next.ids().count == 10)
        for marks in [91, 92] {
            #expect(try await fixture.get("/v1/photos?cursor=\(forged(marks: marks))").status == .badRequest)
        }
    }

    @Test("a cursor of another feed is refused")
    func otherFeed() {
        let text = cursor.text(for: .search("frog"))
        #expect(PageCursor(text, for: .search("toad")) == nil)
        #expect(PageCursor(text, for: .search("frog", color: .green)) == nil)
        #expect(PageCursor(text, for: .search("frog")) == cursor)
    }
}

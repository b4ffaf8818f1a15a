import Foundation
import HTTPExchange
import HTTPTypes
import Testing

@testable import Sandbox

@Suite("The image host")
struct ImageTests {
    private let sandbox = SandboxLibrary(clock: HeldClock())

    /// The targets of a photo's sizes, as they stand in a list.
    private func targets() async throws -> [String: String] {
        let photo = try #require(
            try await sandbox.ask("/photos?per_page=30").list().first { $0["premium"] as? Bool == false }
        )
        return try JSONShape.object(photo["urls"]).mapValues { value in
            try JSONShape.text(value).replacingOccurrences(of: "http://sandbox.test:81", with: "")
        }
    }

    @Test(
        "The sizes of a list are pictures of these widths, without a key",
        arguments: [("thumb", 200), ("small", 400), ("small_s3", 400), ("regular", 1080)]
    )
    func sizes(name: String, width: Int) async throws {
        let target = try #require(try await targets()[name])
        let answer = try await sandbox.ask(target, key: nil)
        #expect(answer.status == 200)
        #expect(answer.fields[.contentType] == "image/png")
        #expect(answer.fields[.eTag] == nil)
        #expect(try DecodedPNG(answer.bytes).width == width)
    }

    @Test("The same picture under another ixid is the same bytes, drawn once")
    func ixid() async throws {
        let target = try #require(try await targets()["thumb"])
        let first = try await sandbox.ask(target, key: nil)
        let again = try await sandbox.ask(target.replacing(/ixid=[^&]+/, with: "ixid=other"), key: nil)
        #expect(first.bytes == again.bytes)
        #expect(sandbox.counts.picturesDrawn == 1)
        #expect(sandbox.counts.imagesWithoutIxid == 0)
    }

    @Test("Requests that lost their ixid or carry a key are answered, and counted")
    func misbehaviour() async throws {
        let target = try #require(try await targets()["thumb"])
        #expect(try await sandbox.ask(target.replacing(/ixid=[^&]+&/, with: ""), key: nil).status == 200)
        #expect(try await sandbox.ask(target, key: "leaked").status == 200)
        #expect(try await sandbox.ask(target + "&client_id=leaked", key: nil).status == 200)
        #expect(sandbox.counts.imagesWithoutIxid == 1)
        #expect(sandbox.counts.imagesWithKey == 2)
        #expect(sandbox.counts.imageRequests == 3)
        #expect(sandbox.counts.abortedDownloads == 0)
        #expect(sandbox.counts.inFlight == 0)
    }

    @Test("An unknown picture is 404, and an unknown path on the image host as well")
    func unknown() async throws {
        #expect(try await sandbox.ask("/images/photo-1-2?ixid=x", key: nil).status == 404)
        #expect(try await sandbox.ask("/images/a/b/c", key: nil).status == 404)
    }
}

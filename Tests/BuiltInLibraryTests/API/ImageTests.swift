import BuiltInLibrary
import Foundation
import HTTPExchange
import HTTPTypes
import Photos
import TestSupport
import Testing

@Suite("The image host")
struct ImageTests {
    private let library = LibraryFixture(clock: .fixed())

    /// Returns the targets of a photo's sizes from a list.
    private func targets() async throws -> [String: String] {
        let photo = try #require(
            try await library.ask("/photos?per_page=30").list().first { $0["premium"] as? Bool == false }
        )
        return try JSONShape.object(photo["urls"]).mapValues { value in
            try JSONShape.text(value).replacingOccurrences(of: "http://library.test:81", with: "")
        }
    }

    @Test(
        "the sizes of a list are pictures of these widths, without a key",
        arguments: [("thumb", 200), ("small", 400), ("small_s3", 400), ("regular", 1080)]
    )
    func sizes(name: String, width: Int) async throws {
        let target = try #require(try await targets()[name])
        let answer = try await library.ask(target, key: nil)
        #expect(answer.status == 200)
        #expect(answer.fields[.contentType] == "image/png")
        #expect(answer.fields[.eTag] == nil)
        guard case .header(let header) = PictureHeader.read(answer.bytes) else { return #expect(Bool(false)) }
        #expect(header.type == .png && header.size.width == width)
    }

    @Test("a picture with another ixid has the same bytes, also without one")
    func ixid() async throws {
        let target = try #require(try await targets()["thumb"])
        let first = try await library.ask(target, key: nil)
        let again = try await library.ask(target.replacing(/ixid=[^&]+/, with: "ixid=other"), key: nil)
        #expect(first.bytes == again.bytes)
        #expect(try await library.ask(target.replacing(/ixid=[^&]+&/, with: ""), key: nil).bytes == first.bytes)
    }

    @Test("pictures beyond the queue are 503 with Retry-After, and lists are still served")
    func busy() async throws {
        let library = LibraryFixture { $0.pictureQueueLimit = 1 }
        let photos = try await library.ask("/photos?per_page=3").list()
        let targets = try photos.map { photo in
            let url = try JSONShape.text(JSONShape.object(photo["urls"])["full"])
            return url.replacingOccurrences(of: "http://library.test:81", with: "")
        }
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            for target in targets { group.addTask { try await library.ask(target, key: nil) } }
            #expect(try await library.ask("/search/photos?query=lake").status == 200)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.map(\.status).sorted() == [200, 503, 503])
        for answer in answers where answer.status == 503 { #expect(answer.fields[.retryAfter] == "2") }
    }
}

import BuiltInLibrary
import HTTPExchange
import HTTPTypes
import Photos
import ServiceHarness
import TestSupport
import Testing

@Suite("The image host")
struct ImageTests {
    private let library = LibraryFixture(clock: .fixed())

    /// Returns the target of a size of a photo in a list.
    private func target(_ library: LibraryFixture, _ photo: Int, _ name: String) async throws -> String {
        let url = try await library.ask("/photos?per_page=30").string("/\(photo)/urls/\(name)")
        return try #require(url).replacing("http://library.test:81", with: "")
    }

    @Test(
        "the sizes of a list are pictures of these widths, without a key",
        arguments: [("thumb", 200), ("small", 400), ("small_s3", 400), ("regular", 1080)]
    )
    func sizes(name: String, width: Int) async throws {
        let target = try await target(library, 0, name)
        let answer = try await library.ask(target, key: nil)
        #expect(answer.status == 200)
        #expect(answer.fields[.contentType] == "image/png")
        #expect(answer.fields[.eTag] == nil)
        guard case .header(let header) = PictureHeader.read(answer.bytes) else { return #expect(Bool(false)) }
        #expect(header.type == .png && header.size.width == width)
    }

    @Test("a picture with another ixid has the same bytes, also without one")
    func ixid() async throws {
        let target = try await target(library, 0, "thumb")
        let first = try await library.ask(target, key: nil)
        let again = try await library.ask(target.replacing(/ixid=[^&]+/, with: "ixid=other"), key: nil)
        #expect(first.bytes == again.bytes)
        #expect(try await library.ask(target.replacing(/ixid=[^&]+&/, with: ""), key: nil).bytes == first.bytes)
    }

    @Test("pictures beyond the queue are 503 with Retry-After, and lists are still served")
    func busy() async throws {
        let library = LibraryFixture { $0.pictureQueueLimit = 1 }
        var targets: [String] = []
        for photo in 0..<3 { targets.append(try await target(library, photo, "full")) }
        let answers = try await withThrowingTaskGroup(of: Response.self) { group in
            for target in targets { group.addTask { try await library.ask(target, key: nil) } }
            #expect(try await library.ask("/search/photos?query=lake").status == 200)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.map(\.status.code).sorted() == [200, 503, 503])
        for answer in answers where answer.status == 503 { #expect(answer.fields[.retryAfter] == "2") }
    }
}

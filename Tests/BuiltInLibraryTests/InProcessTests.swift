import HTTPExchange
import JSON
import PhotoLibrary
import Photos
import ServiceHarness
import TestSupport
import Testing

@testable import BuiltInLibrary
@testable import Primitives

@Suite("The library in the process of the service")
struct InProcessTests {
    private let fixture = LibraryFixture()
    private var library: BuiltInLibrary { fixture.library }

    @Test(
        "an answer is that over HTTP, except for the hosts of links",
        arguments: [
            ("/photos?page=2&per_page=30", 900, true), ("/photos?page=30&per_page=30", 900, false),
            ("/topics", 6, false), ("/search/photos?query=dunes", 151, true), ("/photos/F711GY7FL4F", nil, nil),
        ] as [(String, Int?, Bool?)]
    )
    func answers(target: String, total: Int?, hasNext: Bool?) async throws {
        let answer = try await library.get(target)
        let text = String(decoding: answer.content, as: UTF8.self)
        let other = try await fixture.ask(target)
        #expect(text.replacing("https://api.photos.example", with: "http://library.test:81") == other.text)
        #expect(answer.total == total && answer.hasNext == hasNext)
    }

    @Test("errors are those that the client of the upstream has")
    func errors() async throws {
        for (target, error) in [
            ("/photos/none", UpstreamError.notFound), ("/nothing", .notFound), ("", .notFound),
            ("/search/photos", .invalidQuery(400, "query is missing")),
            ("/search/photos?query=casino", .invalidQuery(410, "This search has been flagged as spam")),
        ] {
            await #expect(throws: error) { try await library.get(target) }
        }
    }

    private func firstPicture(of library: BuiltInLibrary) async throws -> String {
        let photos = try await JSON.parse(library.get("/photos").content).array()
        return try photos[0].object()["urls"].object()["thumb"].string()
    }

    @Test("a picture arrives with its length; a receiver's refusal and an unknown address are errors")
    func pictures() async throws {
        let url = try await firstPicture(of: library)
        let download = PictureDownload(account: MemoryAccount(.unlimited))
        try await library.picture(at: url, into: download)
        let length = await download.head()?.length
        let (bytes, header) = try download.end(nil)
        #expect(header.size.width == 200 && length == bytes.count)
        // A receiver that has ended refuses what still arrives.
        await #expect(throws: UpstreamError.cancelled) { try await library.picture(at: url, into: download) }
        for address in ["", "https://api.photos.example", "https://api.photos.example/images/x", "http://127.0.0.1/"] {
            await #expect(throws: UpstreamError.notFound) { try await library.picture(at: address, into: download) }
        }
    }

    @Test("a call of a cancelled task is cancelled")
    func cancelled() async {
        let library = library
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await library.get("/photos")
        }
        await #expect(throws: UpstreamError.cancelled) { try await call.value }
    }

    @Test("a caller that is cancelled stops waiting for a picture, and its drawing stops")
    func drawing() async throws {
        let library = library
        let photo = library.catalogue.photos[0]
        let size = PictureSize(of: photo, width: 9000, height: nil, dpr: 1, fit: nil)
        let task = Task { try await library.file(of: Picture(photo: photo, size: size, dithers: true)) }
        try await waitUntil { library.worker.load.running == 1 }
        task.cancel()
        await #expect(throws: UpstreamError.cancelled) { try await task.value }
        try await waitUntil { library.worker.load == WorkerLoad(queued: 0, running: 0, refused: 0) }
    }
}

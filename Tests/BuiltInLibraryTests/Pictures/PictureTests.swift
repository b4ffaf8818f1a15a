import Photos
import TestSupport
import Testing

@testable import BuiltInLibrary
@testable import Primitives

@Suite("Pictures")
struct PictureTests {
    @Test("a caller that is cancelled stops waiting, and its drawing stops")
    func cancellation() async throws {
        let library = LibraryFixture().library
        let photo = library.catalogue.photos[0]
        let size = PictureSize(of: photo, width: 9000, height: nil, dpr: 1, fit: nil)
        let picture = Picture(photo: photo, size: size, dithers: true)
        let task = Task { try await library.file(of: picture) }
        try await waitUntil { library.worker.load.running == 1 }
        task.cancel()
        await #expect(throws: UpstreamError.cancelled) { try await task.value }
        try await waitUntil { library.worker.load == WorkerLoad(queued: 0, running: 0, refused: 0) }
    }
}

import Photos
import TestSupport
import Testing

@testable import BuiltInLibrary
@testable import Primitives

@Suite("Pictures")
struct PictureTests {
    /// Returns a picture that is slow to draw.
    private func picture(_ number: Int, width: Double = 1800) -> Picture {
        let photo = Catalogue(seed: 11, count: 4).photos[number]
        let size = PictureSize(of: photo, width: width, height: nil, dpr: 1, fit: nil)
        return Picture(photo: photo, size: size, dithers: true)
    }

    @Test("a caller that is cancelled stops waiting, and its drawing stops")
    func cancellation() async throws {
        let library = LibraryFixture().library
        let picture = picture(0, width: 9000)
        let task = Task { try await library.file(of: picture) }
        try await waitUntil { library.worker.load.running == 1 }
        task.cancel()
        await #expect(throws: UpstreamError.cancelled) { try await task.value }
        try await waitUntil { library.worker.load == WorkerLoad(queued: 0, running: 0, refused: 0) }
    }

    @Test("a picture is drawn once for all requests that wait, and refused if the queue is full")
    func queue() async throws {
        let library = LibraryFixture { $0.pictureQueueLimit = 3 }.library
        let pictures = (0..<4).map { picture($0) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for picture in Array(pictures.prefix(3)) + [pictures[0], pictures[1]] {
                group.addTask { try await !library.file(of: picture).isEmpty }
            }
            try await waitUntil { library.worker.load.queued + library.worker.load.running == 3 }
            await #expect(throws: UpstreamError.overloaded) { try await library.file(of: pictures[3]) }
            for try await isDrawn in group { #expect(isDrawn) }
        }
        #expect(library.worker.load == WorkerLoad(queued: 0, running: 0, refused: 1))
    }
}

import Photos
import TestSupport
import Testing

@testable import BuiltInLibrary
@testable import Primitives

@Suite("Pictures")
struct PictureTests {
    private let catalogue = Catalogue(seed: 11, count: 120)

    private func draw(_ photo: CataloguePhoto, width: Double, dithers: Bool = true) throws -> [UInt8] {
        let size = PictureSize(of: photo, width: width, height: nil, dpr: 1, fit: "max")
        return try Picture(photo: photo, size: size, dithers: dithers).draw { true }
    }

    @Test("every subject in every mood is a well-formed PNG of the requested size")
    func wellFormed() throws {
        for subject in Subject.allCases {
            for photo in catalogue.photos.filter({ $0.subject == subject }).prefix(3) {
                let png = try DecodedPNG(draw(photo, width: 120))
                #expect(png.width == 120)
                #expect(png.height == Int((120 * Double(photo.height) / Double(photo.width)).rounded()))
                #expect(png.chunks == ["IHDR", "IDAT", "IEND"])
            }
        }
    }

    /// Pictures that are slow to draw.
    private var slow: [Picture] {
        catalogue.photos.prefix(4).map { photo in
            let size = PictureSize(of: photo, width: 1800, height: nil, dpr: 1, fit: nil)
            return Picture(photo: photo, size: size, dithers: true)
        }
    }

    @Test("a caller that is cancelled stops waiting, and its drawing stops")
    func cancellation() async throws {
        let library = LibraryFixture().library
        let size = PictureSize(of: slow[0].photo, width: 9000, height: nil, dpr: 1, fit: nil)
        let picture = Picture(photo: slow[0].photo, size: size, dithers: true)
        let task = Task { try await library.file(of: picture) }
        try await waitUntil { library.worker.load.running == 1 }
        task.cancel()
        await #expect(throws: UpstreamError.cancelled) { try await task.value }
        try await waitUntil { library.worker.load == WorkerLoad(queued: 0, running: 0, refused: 0) }
    }

    @Test("a picture is drawn once for all requests that wait, and refused if the queue is full")
    func queue() async throws {
        let library = LibraryFixture { $0.pictureQueueLimit = 3 }.library
        let slow = slow
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for picture in Array(slow.prefix(3)) + [slow[0], slow[1]] {
                group.addTask { try await !library.file(of: picture).isEmpty }
            }
            try await waitUntil { library.worker.load.queued + library.worker.load.running == 3 }
            await #expect(throws: UpstreamError.overloaded) { try await library.file(of: slow[3]) }
            for try await isDrawn in group { #expect(isDrawn) }
        }
        #expect(library.worker.load == WorkerLoad(queued: 0, running: 0, refused: 1))
    }
}

import TestSupport
import Testing

@testable import Primitives
@testable import Sandbox

@Suite("Pictures")
struct PictureTests {
    private let catalogue = Catalogue(seed: 11, count: 120)

    private func draw(_ photo: CataloguePhoto, width: Double, dithers: Bool = true) async throws -> [UInt8] {
        let size = PictureSize(of: photo, width: width, height: nil, dpr: 1, fit: "max")
        let store = PictureStore(capacity: 0, queueLimit: 4) {}
        return try await store.draw(PictureStore.Key(photo: photo, size: size, dithers: dithers))
    }

    @Test("every subject in every mood is a well-formed PNG of the requested size")
    func wellFormed() async throws {
        for subject in Subject.allCases {
            for photo in catalogue.photos.filter({ $0.subject == subject }).prefix(3) {
                let png = try await DecodedPNG(draw(photo, width: 120))
                #expect(png.width == 120)
                #expect(png.height == Int((120 * Double(photo.height) / Double(photo.width)).rounded()))
                #expect(png.chunks == ["IHDR", "IDAT", "IEND"])
            }
        }
    }

    @Test("a picture of every subject has many colours")
    func colourful() async throws {
        for photo in catalogue.photos.prefix(20) {
            let png = try await DecodedPNG(draw(photo, width: 200))
            var colors: Set<[UInt8]> = []
            for start in stride(from: 0, to: png.pixels.count, by: 3) {
                colors.insert(Array(png.pixels[start..<start + 3]))
            }
            #expect(colors.count > 500, "\(photo.subject) \(photo.id)")
        }
    }

    @Test("a photo at one size is the same file in another library of the same seed")
    func deterministic() async throws {
        let other = Catalogue(seed: 11, count: 130)
        for number in [0, 7, 63, 119] {
            #expect(try await draw(catalogue.photos[number], width: 90) == draw(other.photos[number], width: 90))
        }
        let another = Catalogue(seed: 12, count: 120)
        #expect(try await draw(catalogue.photos[0], width: 90) != draw(another.photos[0], width: 90))
    }

    @Test("a picture at twice the size looks the same: block means differ by a few levels")
    func scaleFree() async throws {
        for photo in catalogue.photos.filter({ $0.width == $0.height }).prefix(6) {
            let small = try await DecodedPNG(draw(photo, width: 64))
            let large = try await DecodedPNG(draw(photo, width: 256))
            for block in 0..<16 {
                let (column, row) = (block % 4, block / 4)
                let difference = abs(mean(small, column, row) - mean(large, column, row))
                #expect(difference < 6, "\(photo.subject) block \(column),\(row)")
            }
        }
    }

    /// Returns the mean level in one of 4 × 4 blocks.
    private func mean(_ png: DecodedPNG, _ column: Int, _ row: Int) -> Double {
        let (width, height) = (png.width / 4, png.height / 4)
        var sum = 0
        for y in row * height..<(row + 1) * height {
            for x in column * width * 3..<(column + 1) * width * 3 { sum += Int(png.pixels[y * png.width * 3 + x]) }
        }
        return Double(sum) / Double(width * height * 3)
    }

    @Test("a picture of 1080 pixels has the file size of a photo, so that measurements are realistic")
    func weight() async throws {
        for photo in catalogue.photos.filter({ $0.orientation == "landscape" }).prefix(4) {
            let count = try await draw(photo, width: 1080).count
            #expect((40_000...330_000).contains(count), "\(photo.subject): \(count) bytes")
        }
    }

    @Test("a lower quality gives a smaller file of the same picture")
    func quality() async throws {
        let photo = catalogue.photos[3]
        #expect(try await draw(photo, width: 300, dithers: false).count < draw(photo, width: 300).count)
    }

    @Test("a cached picture is not drawn again, and the cache stays within its bytes")
    func store() async throws {
        let drawn = RequestCounters()
        let store = PictureStore(capacity: 160_000, queueLimit: 4) { drawn.update { $0.picturesDrawn += 1 } }
        let landscapes = catalogue.photos.filter { $0.orientation == "landscape" }
        let keys = landscapes.prefix(12).map { photo in
            let size = PictureSize(of: photo, width: 200, height: nil, dpr: 1, fit: nil)
            return PictureStore.Key(photo: photo, size: size, dithers: true)
        }
        for key in keys { _ = try await store.draw(key) }
        let cached = keys.compactMap { store.cached($0) }
        #expect(cached.reduce(0) { $0 + $1.count } <= 160_000)
        #expect(!cached.isEmpty && cached.count < keys.count)
        // The least recently used pictures are evicted first.
        #expect(store.cached(keys[11]) != nil)
        #expect(store.cached(keys[0]) == nil)
        #expect(drawn.counts.picturesDrawn == 12)
    }

    @Test("a drawing stops when no request waits for it")
    func cancellation() async throws {
        let photo = catalogue.photos[0]
        let size = PictureSize(of: photo, width: 6000, height: nil, dpr: 1, fit: nil)
        let task = Task {
            let key = PictureStore.Key(photo: photo, size: size, dithers: true)
            return try await PictureStore(capacity: 0, queueLimit: 4) {}.draw(key)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a picture is drawn once for all requests, and refused if the queue is full")
    func queue() async throws {
        let drawn = RequestCounters()
        let store = PictureStore(capacity: 1 << 20, queueLimit: 3) { drawn.update { $0.picturesDrawn += 1 } }
        let keys = catalogue.photos.prefix(4).map { photo in
            let size = PictureSize(of: photo, width: 1800, height: nil, dpr: 1, fit: nil)
            return PictureStore.Key(photo: photo, size: size, dithers: true)
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for key in Array(keys.prefix(3)) + [keys[0], keys[1]] {
                group.addTask { try await !store.draw(key).isEmpty }
            }
            try await waitUntil { store.load.queued + store.load.running == 3 }
            await #expect(throws: WorkerIsBusy()) { try await store.draw(keys[3]) }
            for try await isDrawn in group { #expect(isDrawn) }
        }
        #expect(drawn.counts.picturesDrawn == 3)
        #expect(store.load == WorkerLoad(queued: 0, running: 0, refused: 1))
    }
}

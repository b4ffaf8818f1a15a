import Photos
import PictureCoding
import Primitives
import Synchronization

/// Draws pictures, and caches the most recently used ones.
///
/// They are drawn one after the other on a thread of their own, each once for all requests for it. A large one takes a
/// few hundred milliseconds, which would delay other answers in Swift's pool of threads.
final class DrawnPictures: Sendable {
    private let pictures: Lock<BoundedCache<Picture, [UInt8]>>
    private let worker: BoundedWorker<Picture, [UInt8]>

    /// Caches `capacity` bytes, and draws or keeps waiting `queueLimit` pictures.
    init(capacity: Int, queueLimit: Int) {
        pictures = Lock(BoundedCache(capacity: capacity, largestShare: 0.25))
        worker = BoundedWorker(limit: queueLimit)
    }

    /// Returns the file of a picture: draws it, or waits for the drawing that another request has started.
    ///
    /// - Throws: `.overloaded` if the queue is full; `.cancelled` if the caller's task is cancelled.
    func file(of picture: Picture) async throws(UpstreamError) -> [UInt8] {
        if let cached = pictures.withLock({ $0.value(for: picture) }) { return cached }
        do {
            return try await worker.value(named: picture) { [self] isWanted in
                // An earlier drawing may have ended since the caller looked.
                if let cached = pictures.withLock({ $0.value(for: picture) }) { return cached }
                let file = try picture.draw(isWanted)
                pictures.withLock { _ = $0.insert(file, for: picture, cost: file.count) }
                return file
            }
        } catch {
            throw error is WorkerIsBusy ? .overloaded : .cancelled
        }
    }

    var load: WorkerLoad { worker.load }
}

/// The parameters of a picture; equal ones give the same file.
struct Picture: Hashable, Sendable {
    let photo: CataloguePhoto
    let size: PictureSize
    /// False for a low quality, which shows the steps of the colours.
    let dithers: Bool

    /// Draws the picture as a PNG.
    ///
    /// - Throws: `CancellationError` as soon as `isWanted` is false.
    func draw(_ isWanted: () -> Bool) throws -> [UInt8] {
        let renderer = LandscapeRenderer(photo, size, dithers: dithers)
        var encoder = PNGEncoder(width: size.width)
        for row in 0..<size.height {
            if row & 63 == 0, !isWanted() { throw CancellationError() }
            encoder.appendRow { renderer.draw(row: row, into: $0) }
        }
        return encoder.finish(height: size.height)
    }
}

/// The mean colour and the blur of a picture, which clients show until they have the picture.
struct PhotoPreview: Sendable {
    let color: RGB
    let blurHash: String

    init(of photo: CataloguePhoto) {
        let size = PictureSize(of: photo, width: 32, height: 32, dpr: 1, fit: "clip")
        let renderer = LandscapeRenderer(photo, size, dithers: true)
        var row = [UInt8](repeating: 0, count: size.width * 3)
        var pixels: [RGB] = []
        for number in 0..<size.height {
            row.withUnsafeMutableBufferPointer { renderer.draw(row: number, into: $0) }
            for start in stride(from: 0, to: row.count, by: 3) {
                pixels.append(RGB(row[start], row[start + 1], row[start + 2]))
            }
        }
        let hash = BlurHash(of: pixels, width: size.width, height: size.height, horizontal: 4, vertical: 3)
        color = hash.average
        blurHash = hash.text
    }
}

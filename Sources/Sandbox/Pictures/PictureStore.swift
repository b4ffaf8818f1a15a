import PictureCoding
import Primitives
import Synchronization

/// Draws pictures, and caches the most recently used ones.
///
/// They are drawn one after the other on a thread of their own, each once for all requests for it. A large one takes a
/// few hundred milliseconds, which would delay other answers in Swift's pool of threads.
final class PictureStore: Sendable {
    /// The parameters of a picture; equal ones give the same file.
    struct Key: Hashable, Sendable {
        let photo: CataloguePhoto
        let size: PictureSize
        let dithers: Bool
    }

    private let pictures: Lock<BoundedCache<Key, [UInt8]>>
    private let worker: BoundedWorker<Key, [UInt8]>
    private let onDraw: @Sendable () -> Void

    /// Caches `capacity` bytes, and draws or keeps waiting `queueLimit` pictures; `onDraw` is called for each drawing.
    init(capacity: Int, queueLimit: Int, onDraw: @escaping @Sendable () -> Void) {
        pictures = Lock(BoundedCache(capacity: capacity, largestShare: 0.25))
        worker = BoundedWorker(limit: queueLimit)
        self.onDraw = onDraw
    }

    func cached(_ key: Key) -> [UInt8]? { pictures.withLock { $0.value(for: key) } }

    /// Draws a picture, or waits for the drawing that another request has started.
    ///
    /// - Throws: `WorkerIsBusy` if the queue is full; `CancellationError` if the caller's task is cancelled.
    func draw(_ key: Key) async throws -> [UInt8] {
        try await worker.value(named: key) { [self] isWanted in
            // An earlier drawing may have ended since the caller looked.
            if let cached = cached(key) { return cached }
            onDraw()
            let renderer = LandscapeRenderer(key.photo, key.size, dithers: key.dithers)
            var encoder = PNGEncoder(width: key.size.width)
            for row in 0..<key.size.height {
                if row & 63 == 0, !isWanted() { throw CancellationError() }
                encoder.appendRow { renderer.draw(row: row, into: $0) }
            }
            let bytes = encoder.finish(height: key.size.height)
            pictures.withLock { _ = $0.insert(bytes, for: key, cost: bytes.count) }
            return bytes
        }
    }

    var load: WorkerLoad { worker.load }
}

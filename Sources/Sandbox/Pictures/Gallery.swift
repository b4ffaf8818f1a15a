import PictureCoding
import Primitives
import Synchronization

/// Draws pictures, and keeps the last ones.
///
/// A large picture takes most of a second to draw, and Swift's pool has one thread for each core: drawn there, a few
/// pictures would keep every other answer of the process waiting. So they are drawn one after the other on a thread of
/// their own, each once for all requests for it, and more than a queue of them is refused.
final class Gallery: Sendable {
    /// A picture and how it was asked for; what differs in nothing else is the same file.
    struct Key: Hashable, Sendable {
        let photo: Int
        let size: PictureSize
        let dithers: Bool
    }

    private let pictures: Mutex<BoundedCache<Key, SharedBytes>>
    private let worker: BoundedWorker<Key, SharedBytes>
    private let onDraw: @Sendable () -> Void

    /// - Parameters:
    ///   - capacity: bytes of pictures that are kept.
    ///   - queueLimit: pictures that are drawn or wait for it at one time.
    ///   - onDraw: is called for each drawing.
    init(capacity: Int, queueLimit: Int, onDraw: @escaping @Sendable () -> Void) {
        pictures = Mutex(BoundedCache(capacity: capacity, largestShare: 0.25))
        worker = BoundedWorker(limit: queueLimit)
        self.onDraw = onDraw
    }

    /// Returns the picture if it is in the cache.
    func kept(_ key: Key) -> SharedBytes? {
        pictures.withLock { $0.value(for: key) }
    }

    /// Has a picture drawn; that takes tens of milliseconds at a thousand pixels, most of a second for an original.
    ///
    /// - Throws: `WorkerIsBusy` if too many wait; `CancellationError` if the caller's task is cancelled.
    func draw(_ photo: CataloguePhoto, _ key: Key) async throws -> SharedBytes {
        try await worker.value(named: key) { [self] isWanted in
            // Drawn meanwhile, by the work before this one.
            if let kept = kept(key) { return kept }
            onDraw()
            let bytes = try Self.drawing(of: photo, key, isWanted)
            pictures.withLock { _ = $0.insert(bytes, for: key, cost: bytes.count) }
            return bytes
        }
    }

    /// What is drawn and waits for it.
    var load: WorkerLoad { worker.load }

    /// - Throws: `CancellationError` when no request waits for it any more.
    private static func drawing(
        of photo: CataloguePhoto,
        _ key: Key,
        _ isWanted: () -> Bool
    ) throws(CancellationError) -> SharedBytes {
        let size = key.size
        let viewport = Viewport(
            width: size.width,
            height: size.height,
            aspectRatio: photo.aspectRatio,
            partWidth: size.partWidth,
            partHeight: size.partHeight
        )
        let renderer = PictureRenderer(photo.scene, viewport, dithers: key.dithers)
        var encoder = PNGEncoder(width: size.width)
        for row in 0..<size.height {
            if row & 63 == 0, !isWanted() { throw CancellationError() }
            // A row has at least one pixel, so it has an address.
            encoder.appendRow { renderer.draw(row: row, into: $0.baseAddress!) }
        }
        return SharedBytes(encoder.finish(height: size.height))
    }
}

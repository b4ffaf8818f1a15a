import Synchronization

/// Draws pictures, and keeps the last ones.
final class Gallery: Sendable {
    /// A picture and how it was asked for; what differs in nothing else is the same file.
    struct Key: Hashable {
        let photo: Int
        let size: PictureSize
        let dithers: Bool
    }

    private struct State {
        var pictures: [Key: (bytes: PictureBytes, used: UInt64)] = [:]
        var byteCount = 0
        var clock: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())
    private let onDraw: @Sendable () -> Void

    /// Keeps at most `capacity` bytes of pictures; `onDraw` is told of each drawing.
    init(capacity: Int, onDraw: @escaping @Sendable () -> Void) {
        self.capacity = capacity
        self.onDraw = onDraw
    }

    /// The picture, if it is kept.
    func kept(_ key: Key) -> PictureBytes? {
        state.withLock { state in
            guard let bytes = state.pictures[key]?.bytes else { return nil }
            state.clock += 1
            state.pictures[key] = (bytes, state.clock)
            return bytes
        }
    }

    /// Draws a picture; takes tens of milliseconds at a thousand pixels, seconds for an original.
    ///
    /// - Throws: `CancellationError` when nobody waits for it any more.
    func draw(_ photo: CataloguePhoto, _ key: Key) throws -> PictureBytes {
        onDraw()
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
            if row & 63 == 0 { try Task.checkCancellation() }
            encoder.appendRow { renderer.draw(row: row, into: $0) }
        }
        let bytes = PictureBytes(encoder.finish(height: size.height))
        keep(bytes, key)
        return bytes
    }

    /// Keeps a picture in place of the ones that were not asked for the longest.
    ///
    /// They are few: a scan finds them.
    private func keep(_ bytes: PictureBytes, _ key: Key) {
        guard bytes.buffer.count <= capacity / 4 else { return }
        state.withLock { state in
            state.clock += 1
            state.byteCount += bytes.buffer.count - (state.pictures[key]?.bytes.buffer.count ?? 0)
            state.pictures[key] = (bytes, state.clock)
            while state.byteCount > capacity, let oldest = state.pictures.min(by: { $0.value.used < $1.value.used }) {
                state.byteCount -= oldest.value.bytes.buffer.count
                state.pictures[oldest.key] = nil
            }
        }
    }
}

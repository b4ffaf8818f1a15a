import HTTPExchange
import PhotoFeed
import Primitives
import Synchronization

/// The content of an answer with a picture that is still arriving.
///
/// An open stream holds the fetch, which is cancelled after the last one has closed, and the memory of the picture.
final class PictureStream: ContentStream {
    let length: Int?
    private let download: PictureDownload
    private let hold: Lock<MemoryHold?>
    private let offset = Lock(0)
    private let onClose: @Sendable () -> Void

    init(_ download: PictureDownload, hold: MemoryHold, length: Int, onClose: @escaping @Sendable () -> Void) {
        self.download = download
        self.hold = Lock(hold)
        self.length = length
        self.onClose = onClose
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> StreamRead {
        // The server reads a stream on one thread at a time; the lock makes the offset visible to the next.
        let start = offset.withLock { $0 }
        do throws(UpstreamError) {
            guard let count = try download.copy(from: start, into: buffer, wake: wake) else { return .pending }
            offset.withLock { $0 = start + count }
            return count == 0 ? .finished : .copied(count)
        } catch {
            return .failed
        }
    }

    /// Does nothing: a drain cancels the fetch, and the connection is closed before the end.
    func drain() {}

    func close() {
        hold.withLock { $0 = nil }
        onClose()
    }
}

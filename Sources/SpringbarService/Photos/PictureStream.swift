import HTTPExchange
import PhotoFeed
import Synchronization

/// A picture that is still arriving, as the content of an answer: one reader's place in a download.
///
/// The reader counts as a waiter of the fetch for as long as the stream is open, so that the fetch stops when the last
/// one closes.
final class PictureStream: ContentStream {
    let length: Int?
    private let download: PictureDownload
    private let offset = Mutex(0)
    private let onClose: @Sendable () -> Void

    init(_ download: PictureDownload, length: Int, onClose: @escaping @Sendable () -> Void) {
        self.download = download
        self.length = length
        self.onClose = onClose
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) -> StreamRead {
        // The server reads a stream from one thread at a time; the lock is for the next one to see the offset.
        let start = offset.withLock { $0 }
        switch download.copy(from: start, into: buffer, wake: wake) {
        case .bytes(let count):
            offset.withLock { $0 = start + count }
            return .copied(count)
        case .pending: return .pending
        case .finished: return .finished
        case .failed: return .failed
        }
    }

    /// Pictures have nothing to say at the end: who drains cancels the fetch, and the connection is closed short.
    func drain() {}

    func close() {
        onClose()
    }
}

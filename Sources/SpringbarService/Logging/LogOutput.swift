import Glibc
import Synchronization

/// Where log lines go: collected, and written by the batch.
///
/// A write(2) a request costs as much as a tenth of the request. So lines gather for at most `delay`; a warning or
/// worse goes out at once, with everything before it, and so does a batch of 32 KiB. What a crash can lose is a
/// twentieth of a second of `info`.
package final class LogOutput: Sendable {
    private struct Batch {
        var bytes: [UInt8] = []
        var isAnnounced = false
    }

    private static let batchSize = 32 << 10

    private let descriptor: Int32
    private let delay: Duration
    private let batch = Mutex(Batch())
    /// Held while writing, so that batches stay in order; never by who only adds a line.
    private let writing = Mutex(())
    private let announcements: AsyncStream<Void>
    private let announce: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - descriptor: an open file descriptor; stays open.
    ///   - delay: how long a line may wait for others.
    package init(descriptor: Int32 = STDOUT_FILENO, delay: Duration = .milliseconds(50)) {
        self.descriptor = descriptor
        self.delay = delay
        (announcements, announce) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a line, and its end.
    package func add(_ line: [UInt8], isUrgent: Bool) {
        let (isFull, isFirst) = batch.withLock { batch in
            batch.bytes.append(contentsOf: line)
            batch.bytes.append(UInt8(ascii: "\n"))
            let isFirst = !batch.isAnnounced
            batch.isAnnounced = true
            return (batch.bytes.count >= LogOutput.batchSize, isFirst)
        }
        if isUrgent || isFull {
            flush()
        } else if isFirst {
            announce.yield()
        }
    }

    /// Writes what has gathered.
    package func flush() {
        writing.withLock { _ in
            let bytes = batch.withLock { batch in
                let bytes = batch.bytes
                batch = Batch()
                return bytes
            }
            write(bytes)
        }
    }

    /// Writes each batch after its delay, until the task is cancelled; then what is left.
    package func run() async {
        for await _ in announcements {
            try? await Task.sleep(for: delay)
            flush()
        }
        flush()
    }

    /// A log that cannot be written must not stop the service: what the descriptor refuses is lost.
    private func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written > 0 {
                    rest = rest.dropFirst(written)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}

import Glibc
import Primitives
import Synchronization

/// Where log lines go: collected in a bounded buffer, and written by the batch on a thread of their own.
///
/// No thread but that one ever waits for the descriptor: a terminal that is stopped, a pipe that is not read and a disk
/// that is full cost lines, not answers. Lines that are dropped are counted, and a line says how many they were as soon
/// as one can be written again.
///
/// A write(2) for each request would cost a tenth of the request. So lines gather for at most `delay`; a warning or worse
/// goes out at once, with everything before it, and so does a batch of 64 KiB. What a crash can lose is a twentieth of a
/// second of `info`.
package final class LogOutput: Sendable {
    /// The bounds of the buffer.
    package struct Limits: Sendable {
        /// Bytes that wait or are being written.
        package var capacity = 1 << 20
        /// Bytes beside them for warnings and worse.
        package var reserve = 64 << 10
        /// Bytes that do not wait for more.
        package var batchSize = 64 << 10
        /// How long a line may wait for others.
        package var delay: Duration = .milliseconds(50)

        package init() {}
    }

    private let queue: Queue

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - descriptor: an open file descriptor; it stays open, and may block or not.
    ///   - limits: the bounds of the buffer.
    ///   - reportLoss: the line that says that as many lines were dropped, without its end.
    package init(
        descriptor: Int32 = STDOUT_FILENO,
        limits: Limits = Limits(),
        reportLoss: @escaping @Sendable (Int) -> [UInt8]
    ) {
        let queue = Queue(limits)
        self.queue = queue
        // Without a thread at the very start of the process nothing else would work either.
        guard DetachedThread.start({ queue.run(LogDescriptor(descriptor), reportLoss) }) else {
            fatalError("the system has no thread for the log")
        }
    }

    deinit {
        queue.end()
    }

    /// Adds a line, and its end; never waits.
    package func add(_ line: [UInt8], isUrgent: Bool) {
        line.withUnsafeBufferPointer { add($0, isUrgent: isUrgent) }
    }

    /// Adds a line, and its end; never waits.
    package func add(_ line: UnsafeBufferPointer<UInt8>, isUrgent: Bool) {
        queue.add(line, isUrgent: isUrgent)
    }

    /// Waits until everything added so far is written or lost, at most for a time.
    ///
    /// - Returns: false if the time was over first.
    @discardableResult
    package func flush(within limit: Duration) -> Bool {
        queue.flush(within: limit)
    }

    /// Lines dropped since the start: those that the buffer had no room for, and those that the descriptor refused.
    package var droppedLines: Int { queue.droppedLines }
}

extension LogOutput {
    /// The buffer and its thread's loop; the thread keeps it alive until its end.
    private final class Queue: Sendable {
        private struct State {
            var buffer: LogBuffer
            /// Threads in `flush`, each with the number of bytes that it waits for.
            var flushes: [(target: Int, semaphore: ThreadSemaphore)] = []
            var isEnding = false
        }

        private let state: Mutex<State>
        private let delay: Duration
        /// Signalled for the first line of a batch, and once more when the batch is not to wait.
        private let signal = ThreadSemaphore()

        init(_ limits: Limits) {
            delay = limits.delay
            state = Mutex(
                State(
                    buffer: LogBuffer(
                        capacity: limits.capacity,
                        reserve: limits.reserve,
                        batchSize: limits.batchSize
                    )
                )
            )
        }

        var droppedLines: Int { state.withLock { $0.buffer.droppedTotal } }

        func add(_ line: UnsafeBufferPointer<UInt8>, isUrgent: Bool) {
            if state.withLock({ $0.buffer.append(line, isUrgent: isUrgent) }) != .none { signal.signal() }
        }

        func flush(within limit: Duration) -> Bool {
            let semaphore: ThreadSemaphore? = state.withLock { state in
                guard state.buffer.done < state.buffer.accepted else { return nil }
                let semaphore = ThreadSemaphore()
                state.flushes.append((state.buffer.accepted, semaphore))
                state.buffer.hurry()
                return semaphore
            }
            guard let semaphore else { return true }
            signal.signal()
            return semaphore.wait(for: limit)
        }

        func end() {
            state.withLock { state in
                state.isEnding = true
                state.buffer.hurry()
            }
            signal.signal()
        }

        func run(_ descriptor: LogDescriptor, _ reportLoss: (Int) -> [UInt8]) {
            var descriptor = descriptor
            var batch: [UInt8] = []
            var unreported = 0
            while true {
                signal.wait()
                if !state.withLock({ $0.buffer.isUrgent }) { _ = signal.wait(for: delay) }
                let (dropped, isEnding) = state.withLock { ($0.buffer.take(spare: &batch), $0.isEnding) }
                let lost = descriptor.write(batch)
                unreported += dropped + lost
                if unreported > 0, lost == 0, descriptor.write(reportLoss(unreported) + [UInt8(ascii: "\n")]) == 0 {
                    unreported = 0
                }
                finish(lost: lost)
                // The memory of an ordinary batch is used again; that of a burst is given back.
                if batch.capacity > 256 << 10 { batch = [] } else { batch.removeAll(keepingCapacity: true) }
                if isEnding { return }
            }
        }

        /// Takes note of a batch, and wakes the threads that waited for it.
        private func finish(lost: Int) {
            let woken = state.withLock { state in
                state.buffer.finish(lost: lost)
                let done = state.buffer.done
                let woken = state.flushes.filter { $0.target <= done }
                state.flushes.removeAll { $0.target <= done }
                return woken.map(\.semaphore)
            }
            for semaphore in woken { semaphore.signal() }
        }
    }
}

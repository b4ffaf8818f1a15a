import Glibc
import Primitives
import Synchronization

/// Collects log lines in a bounded buffer and writes them in batches on its own thread.
///
/// Only that thread waits for the descriptor. A stopped terminal, a pipe without a reader and a full disk lose lines,
/// not answers. Dropped lines are counted, and the next line that can be written reports their number.
///
/// One write(2) has the lines of many requests, so lines wait for others for at most `delay`. A warning or an error is
/// written at once, with all lines before it, and so is a batch of 64 KiB. A crash loses at most a twentieth of a second
/// of `info`.
package final class LogOutput: Sendable {
    /// The bounds of the buffer.
    package struct Limits: Sendable {
        /// Limit in bytes of waiting lines and lines being written.
        package var capacity = 1 << 20
        /// Additional bytes for warnings and errors.
        package var reserve = 64 << 10
        /// Size in bytes at which a batch is written at once.
        package var batchSize = 64 << 10
        /// The longest time that a line waits for others.
        package var delay: Duration = .milliseconds(50)

        package init() {}
    }

    private let queue: Queue

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - descriptor: an open file descriptor; it stays open, and may block or not.
    ///   - limits: the bounds of the buffer.
    ///   - reportLoss: makes the line that reports a number of dropped lines, without a line feed.
    package init(
        descriptor: Int32 = STDOUT_FILENO,
        limits: Limits = Limits(),
        reportLoss: @escaping @Sendable (Int) -> [UInt8]
    ) {
        let queue = Queue(limits)
        self.queue = queue
        // Without a thread at the start of the process no other part would work.
        guard let thread = SystemThread(named: "log", { queue.run(LogDescriptor(descriptor), reportLoss) }) else {
            fatalError("the system has no thread for the log")
        }
        thread.detach()
    }

    deinit {
        queue.end()
    }

    /// Adds a line and a line feed; never waits.
    package func add(_ line: [UInt8], isUrgent: Bool) {
        line.withUnsafeBufferPointer { add($0, isUrgent: isUrgent) }
    }

    /// Adds a line and a line feed; never waits.
    package func add(_ line: UnsafeBufferPointer<UInt8>, isUrgent: Bool) {
        queue.add(line, isUrgent: isUrgent)
    }

    /// Waits until all lines added so far are written or lost, or until the time is over.
    ///
    /// - Returns: false if the time is over.
    @discardableResult
    package func flush(within limit: Duration) -> Bool {
        queue.flush(within: limit)
    }

    /// Lines dropped since the start, by a full buffer or by the descriptor.
    package var droppedLines: Int { queue.droppedLines }
}

extension LogOutput {
    /// The buffer and the loop of its thread, which retains this object.
    private final class Queue: Sendable {
        private struct State {
            var buffer: LogBuffer
            /// Threads in `flush`, each with the number of bytes it waits for.
            var flushes: [(target: Int, semaphore: ThreadSemaphore)] = []
            var isEnding = false
        }

        private let state: Lock<State>
        private let delay: Duration
        /// Signalled for the first line of a batch, and again when the batch is urgent.
        private let signal = ThreadSemaphore()

        init(_ limits: Limits) {
            delay = limits.delay
            state = Lock(
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
                let (dropped, isEnding) = state.withLock { ($0.buffer.drain(into: &batch), $0.isEnding) }
                let lost = descriptor.write(batch)
                unreported += dropped + lost
                if unreported > 0, lost == 0, descriptor.write(reportLoss(unreported) + [UInt8(ascii: "\n")]) == 0 {
                    unreported = 0
                }
                finish(lost: lost)
                // The memory of a batch is reused unless the batch was large.
                if batch.capacity > 256 << 10 { batch = [] } else { batch.removeAll(keepingCapacity: true) }
                if isEnding { return }
            }
        }

        /// Records the end of a batch and wakes the threads that waited for it.
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

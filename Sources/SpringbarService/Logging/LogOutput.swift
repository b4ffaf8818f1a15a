import Dispatch
import Glibc
import Network
import Primitives
import Synchronization

/// Collects log lines in a bounded buffer and writes them in batches on its own thread.
///
/// Only that thread waits for the descriptor. A stopped terminal, a pipe without a reader and a full disk lose lines,
/// not answers. Dropped lines are counted, and the next line that can be written reports their number.
///
/// One write(2) has the lines of many requests, so lines wait for others for at most `delay`. A warning or an error is
/// written at once, with all lines before it, and so is a batch of 64 KiB. A crash loses at most 50 ms of `info`.
///
/// The thread retains the output and lives as long as the process.
package final class LogOutput: Sendable {
    package struct Limits: Sendable {
        /// Limit in bytes of waiting lines and lines being written.
        package var capacity = 1 << 20
        /// Additional bytes for warnings and errors, so that many ordinary lines do not displace them.
        package var reserve = 64 << 10
        /// Size in bytes at which a batch is written at once.
        package var batchSize = 64 << 10
        /// The longest time that a line waits for others.
        package var delay: Duration = .milliseconds(50)

        package init() {}
    }

    private struct State {
        var batch: [UInt8] = []
        /// The size of the lines that are being written.
        var beingWritten = 0
        /// Whether the batch must be written at once.
        var isUrgent = false
        var dropped = 0
        /// Signalled when the batch has left the buffer.
        var flushes: [DispatchSemaphore] = []
    }

    private let limits: Limits
    private let state = Lock(State())
    /// Its thread is woken for the first line of a batch, and again when the batch is urgent.
    private let loop: EventLoop

    /// Starts the thread; the descriptor stays open, and may block or not.
    ///
    /// `reportLoss` makes the line that reports a number of dropped lines, without a line feed.
    package init(
        descriptor: Int32 = STDOUT_FILENO,
        limits: Limits = Limits(),
        reportLoss: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.limits = limits
        guard let loop = EventLoop() else { fatalError("the process has no descriptor for the log") }
        self.loop = loop
        // Without a thread at the start of the process no other part would work.
        guard loop.start(named: "log", { self.run(LogDescriptor(descriptor), reportLoss) }) else {
            fatalError("the system has no thread for the log")
        }
    }

    /// Adds a line and a line feed; never waits.
    package func add(_ line: [UInt8], isUrgent: Bool) { line.withUnsafeBufferPointer { add($0, isUrgent: isUrgent) } }

    /// Adds a line and a line feed; never waits.
    package func add(_ line: UnsafeBufferPointer<UInt8>, isUrgent: Bool) {
        let wakes = state.withLock { state in
            let room = isUrgent ? limits.capacity &+ limits.reserve : limits.capacity
            guard state.batch.count &+ state.beingWritten &+ line.count < room else {
                state.dropped += 1
                return false
            }
            let isFirst = state.batch.isEmpty
            state.batch.append(contentsOf: line)
            state.batch.append(UInt8(ascii: "\n"))
            let wasUrgent = state.isUrgent
            if isUrgent || state.batch.count >= limits.batchSize { state.isUrgent = true }
            return isFirst || state.isUrgent != wasUrgent
        }
        if wakes { loop.wakeUp() }
    }

    /// Waits until all lines added so far are written or lost; returns false if the time is over first.
    @discardableResult
    package func flush(within limit: Duration) -> Bool {
        let semaphore = DispatchSemaphore(value: 0)
        state.withLock { state in
            state.flushes.append(semaphore)
            state.isUrgent = true
        }
        loop.wakeUp()
        return semaphore.wait(timeout: .now() + .nanoseconds(Int(limit.wholeNanoseconds))) == .success
    }

    /// Lines dropped since the start, by a full buffer or by the descriptor.
    package var droppedLines: Int { state.withLock(\.dropped) }

    private func run(_ descriptor: LogDescriptor, _ reportLoss: (Int) -> [UInt8]) {
        var descriptor = descriptor
        var batch: [UInt8] = []
        var reported = 0
        while true {
            _ = loop.wait(until: .never)
            if !state.withLock(\.isUrgent) { _ = loop.wait(until: .now + limits.delay) }
            let (dropped, flushes) = state.withLock { state in
                swap(&state.batch, &batch)
                state.beingWritten = batch.count
                state.isUrgent = false
                defer { state.flushes = [] }
                return (state.dropped, state.flushes)
            }
            let lost = descriptor.write(batch)
            state.withLock { state in
                state.beingWritten = 0
                state.dropped += lost
            }
            if lost == 0, dropped > reported,
                descriptor.write(reportLoss(dropped - reported) + [UInt8(ascii: "\n")]) == 0
            {
                reported = dropped
            }
            for semaphore in flushes { semaphore.signal() }
            // The memory of a batch is reused unless the batch was large.
            if batch.capacity > 256 << 10 { batch = [] } else { batch.removeAll(keepingCapacity: true) }
        }
    }
}

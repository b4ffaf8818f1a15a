import Synchronization

/// A worker thread that runs tasks one after the other.
///
/// The kernel shares the cores between this thread and the rest of the service. In Swift's pool, a long computation would
/// keep one core from everything else.
package final class WorkThread: Sendable {
    private let tasks: Tasks
    private let isRunning: Bool

    /// Starts the thread.
    package init() {
        let tasks = Tasks()
        self.tasks = tasks
        let thread = SystemThread(named: "work") { tasks.run() }
        thread?.detach()
        isRunning = thread != nil
    }

    deinit {
        tasks.add(nil)
    }

    /// Runs a task after the earlier ones; at once, on the caller's thread, if the system had no thread left.
    package func submit(_ task: @escaping @Sendable () -> Void) {
        if isRunning { tasks.add(task) } else { task() }
    }

    /// The queue, shared with the thread, which outlives the object until its current task ends.
    private final class Tasks: Sendable {
        private let queue = Lock<[(@Sendable () -> Void)?]>([])
        private let semaphore = ThreadSemaphore()

        /// Adds a task; nil ends the thread.
        func add(_ task: (@Sendable () -> Void)?) {
            queue.withLock { $0.append(task) }
            semaphore.signal()
        }

        func run() {
            while true {
                semaphore.wait()
                // There is one signal for each task, so the queue is not empty here.
                guard let task = queue.withLock({ $0.removeFirst() }) else { return }
                task()
            }
        }
    }
}

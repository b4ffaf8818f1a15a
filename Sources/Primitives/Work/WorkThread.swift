import Synchronization

/// One thread of the system that runs tasks one after the other.
///
/// On a thread of its own, what computes for long shares a core with the rest of the service as the kernel decides; in
/// Swift's pool it would keep a core from everything else.
package final class WorkThread: Sendable {
    private let tasks: Tasks
    private let isRunning: Bool

    /// Starts the thread.
    package init() {
        let tasks = Tasks()
        self.tasks = tasks
        isRunning = DetachedThread.start { tasks.run() }
    }

    deinit {
        tasks.add(nil)
    }

    /// Runs `task` after those before it; at once, on the caller's thread, if the system had no thread left.
    package func submit(_ task: @escaping @Sendable () -> Void) {
        if isRunning { tasks.add(task) } else { task() }
    }

    /// The tasks to run, shared with the thread, which outlives the object by the task it is at.
    private final class Tasks: Sendable {
        private let queue = Mutex<[(@Sendable () -> Void)?]>([])
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

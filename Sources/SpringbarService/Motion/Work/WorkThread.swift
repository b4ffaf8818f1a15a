import Glibc
import Synchronization

/// One thread of the system that does one thing after the other.
///
/// What computes for a tenth of a second must not take a thread of the server, whose connections it would stall, nor
/// one of Swift's pool, which on a single core has but one. On a thread of its own the kernel shares the core out.
final class WorkThread: Sendable {
    private let tasks: Tasks
    private let isRunning: Bool

    init() {
        let tasks = Tasks()
        let box = Unmanaged.passRetained(tasks)
        var handle = pthread_t()
        let result = pthread_create(
            &handle,
            nil,
            { box in
                // `!`: the argument of pthread_create, given below and never null.
                Unmanaged<Tasks>.fromOpaque(box!).takeRetainedValue().run()
                return nil
            },
            box.toOpaque()
        )
        if result == 0 { pthread_detach(handle) } else { box.release() }
        self.tasks = tasks
        isRunning = result == 0
    }

    deinit {
        tasks.add(nil)
    }

    /// Does `task` after those before it; at once, on the caller's thread, when the system had no thread left.
    func submit(_ task: @escaping @Sendable () -> Void) {
        if isRunning { tasks.add(task) } else { task() }
    }

    /// The tasks to do, shared with the thread, which outlives the object by the task it is at.
    private final class Tasks: Sendable {
        private let queue = Mutex<[(@Sendable () -> Void)?]>([])
        private let semaphore: Semaphore = Semaphore()

        /// Adds a task; nil ends the thread.
        func add(_ task: (@Sendable () -> Void)?) {
            queue.withLock { $0.append(task) }
            semaphore.signal()
        }

        func run() {
            while true {
                semaphore.wait()
                // One signal for each task: there is one.
                guard let task = queue.withLock({ $0.removeFirst() }) else { return }
                task()
            }
        }
    }
}

/// A POSIX semaphore at one address for its whole life, as it wants to be.
private final class Semaphore {
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        semaphore.initialize(to: sem_t())
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func signal() {
        sem_post(semaphore)
    }

    func wait() {
        // A signal handler may end the wait early.
        while sem_wait(semaphore) != 0 {}
    }
}

// The pointer never changes, and POSIX lets any thread signal and wait.
extension Semaphore: @unchecked Sendable {}

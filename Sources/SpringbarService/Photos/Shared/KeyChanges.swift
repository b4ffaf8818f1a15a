import Primitives
import SharedState
import Synchronization

/// Waits for changes of a key that another replica is about to make.
///
/// The wait also ends after some time, because the end of a lease is not an event.
final class KeyChanges: Sendable {
    private let next = Mutex(PendingResult<Void>())
    private let engine: any SharedEngine
    private let watch: Mutex<SharedWatch?> = Mutex(nil)
    private let pause: @Sendable (Duration) async throws -> Void

    /// Starts to watch a key; `stop` must follow.
    init(of key: SharedKey, in engine: any SharedEngine, pause: @escaping @Sendable (Duration) async throws -> Void) {
        self.engine = engine
        self.pause = pause
        let started = engine.watch(key) { [weak self] event in
            // A change before this event is found at the next look.
            if event != .ready { self?.next.withLock { $0 }.deliver(()) }
        }
        watch.withLock { $0 = started }
    }

    func stop() {
        if let watch = watch.withLock({ $0 }) { engine.unwatch(watch) }
    }

    /// Waits for a change, at most for this time.
    func wait(atMost time: Duration) async {
        let change = next.withLock { $0 }
        await withTaskGroup { group in
            group.addTask { await change.value(cancelled: ()) }
            group.addTask { [pause] in try? await pause(time) }
            await group.next()
            group.cancelAll()
        }
        next.withLock { $0 = PendingResult() }
    }
}

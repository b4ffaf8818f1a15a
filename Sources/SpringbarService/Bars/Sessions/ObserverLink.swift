import Synchronization

/// Leads from a stream that was closed to its observer, which did not exist yet when the stream was made.
final class ObserverLink: Sendable {
    private let observer = Mutex<BarObserver?>(nil)

    func tie(_ observer: BarObserver) {
        self.observer.withLock { $0 = observer }
    }

    /// Hands out the observer once, and lets go of it: the two hold each other until then.
    func cut(_ body: (BarObserver) -> Void) {
        let observer = self.observer.withLock { observer in
            defer { observer = nil }
            return observer
        }
        if let observer { body(observer) }
    }
}

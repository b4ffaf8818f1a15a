import Primitives

/// Calls a closure when it is released.
private final class ReleaseObserver: Sendable {
    private let onRelease: @Sendable () -> Void

    init(_ onRelease: @escaping @Sendable () -> Void) {
        self.onRelease = onRelease
    }

    deinit {
        onRelease()
    }
}

extension SharedBytes {
    /// Copies bytes; calls `onRelease` when the object is released.
    convenience init(_ bytes: [UInt8], onRelease: @escaping @Sendable () -> Void) {
        self.init(bytes, companion: ReleaseObserver(onRelease))
    }
}

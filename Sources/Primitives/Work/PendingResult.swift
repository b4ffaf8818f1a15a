#if !THREAD_SANITIZER
// A build for ThreadSanitizer has a lock of its own.
public import Synchronization
#endif

/// A value that one task waits for and that is delivered once, or replaced by the cancellation of that task.
///
/// Delivery, wait and cancellation may occur in any order and on any thread; the first of delivery and cancellation
/// counts.
///
/// Public, because the compiler makes code for the types of another module only from what is public and inlinable.
public final class PendingResult<Value: Sendable>: Sendable {
    @usableFromInline
    enum State {
        case empty
        /// The state changes before the continuation is resumed, so it is resumed once.
        ///
        /// It returns nothing, because the wait is code of the standard library for all types, and slower for large values.
        case waiting(UnsafeContinuation<Void, Never>)
        /// The value was delivered; the wait takes it.
        case delivered(Value)
        case taken
    }

    @usableFromInline let state: Lock<State>

    /// A result without a value.
    @inlinable
    public init() { state = Lock(.empty) }

    /// Delivers the value.
    ///
    /// - Returns: false if there was one already.
    @inlinable
    @discardableResult
    public func deliver(_ value: Value) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, UnsafeContinuation<Void, Never>?) in
            switch state {
            case .empty:
                state = .delivered(value)
                return (true, nil)
            case .waiting(let continuation):
                state = .delivered(value)
                return (true, continuation)
            case .delivered, .taken:
                return (false, nil)
            }
        }
        continuation?.resume()
        return isFirst
    }

    /// Whether the value was delivered, or the wait was cancelled.
    package var isDelivered: Bool {
        state.withLock { state in
            switch state {
            case .empty, .waiting: false
            case .delivered, .taken: true
            }
        }
    }

    /// Waits for the value; delivers `cancelled` if the caller's task is cancelled first.
    ///
    /// - Precondition: it is called once.
    @inlinable
    public func value(cancelled: Value) async -> Value {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                let isDelivered = state.withLock { state in
                    switch state {
                    case .empty:
                        state = .waiting(continuation)
                        return false
                    case .delivered: return true
                    case .waiting, .taken: preconditionFailure("a second wait for one value")
                    }
                }
                if isDelivered { continuation.resume() }
            }
        } onCancel: {
            deliver(cancelled)
        }
        return state.withLock { state in
            // The wait has ended, so there is a value.
            guard case .delivered(let value) = state else { return cancelled }
            state = .taken
            return value
        }
    }
}

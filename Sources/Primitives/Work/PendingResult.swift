public import Synchronization

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
        /// Unchecked: the state is left before the continuation is resumed, so it is resumed once.
        case waiting(UnsafeContinuation<Value, Never>)
        /// The value was delivered before the wait.
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
        let (isFirst, continuation) = state.withLock { state -> (Bool, UnsafeContinuation<Value, Never>?) in
            switch state {
            case .empty:
                state = .delivered(value)
                return (true, nil)
            case .waiting(let continuation):
                state = .taken
                return (true, continuation)
            case .delivered, .taken:
                return (false, nil)
            }
        }
        continuation?.resume(returning: value)
        return isFirst
    }

    /// Waits for the value; delivers `cancelled` if the caller's task is cancelled first.
    ///
    /// - Precondition: it is called once.
    @inlinable
    public func value(cancelled: Value) async -> Value {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let value: Value? = state.withLock { state in
                    switch state {
                    case .empty:
                        state = .waiting(continuation)
                        return nil
                    case .delivered(let value):
                        state = .taken
                        return value
                    case .waiting, .taken:
                        preconditionFailure("a second wait for one value")
                    }
                }
                if let value { continuation.resume(returning: value) }
            }
        } onCancel: {
            deliver(cancelled)
        }
    }
}

import Primitives
import Synchronization

/// A value that several tasks change; a task cannot capture a lock, but an object that holds one.
final class Shared<Value: Sendable>: Sendable {
    private let value: Lock<Value>

    init(_ value: Value) {
        self.value = Lock(value)
    }

    var current: Value { value.withLock { $0 } }

    func change(_ body: @Sendable (inout Value) -> Void) {
        value.withLock { body(&$0) }
    }
}

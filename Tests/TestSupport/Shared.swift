import Primitives
import Synchronization

/// A value that several tasks change; a task cannot capture a lock, but an object that holds one.
package final class Shared<Value: Sendable>: Sendable {
    private let value: Lock<Value>

    package init(_ value: Value) {
        self.value = Lock(value)
    }

    package var current: Value { value.withLock { $0 } }

    @discardableResult
    package func change<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        value.withLock { body(&$0) }
    }
}

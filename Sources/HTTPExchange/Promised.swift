/// A value, or the promise of one.
package enum Promised<Value: Sendable>: Sendable {
    /// A value that was produced without waiting.
    case now(Value)
    /// The work that produces the value, for one caller.
    case later(@Sendable () async throws -> Value)
}

extension Promised {
    /// Returns the result of `change` for the value.
    @inlinable
    package func map<Changed: Sendable>(
        _ change: @escaping @Sendable (Value) throws -> Changed
    ) rethrows -> Promised<Changed> {
        switch self {
        case .now(let value): .now(try change(value))
        case .later(let work): .later { try change(try await work()) }
        }
    }

    /// Returns the value, after the work if it is promised.
    package func value() async throws -> Value {
        switch self {
        case .now(let value): value
        case .later(let work): try await work()
        }
    }
}

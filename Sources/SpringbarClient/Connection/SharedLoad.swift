/// A load that several tasks of one actor wait for; it is cancelled when the last of them is.
final class SharedLoad<Value: Sendable> {
    private let task: Task<Value, any Error>
    private(set) var waiting = 0

    init(_ task: Task<Value, any Error>) {
        self.task = task
    }

    /// Whether all tasks have given it up; another load is needed then.
    var isCancelled: Bool { task.isCancelled }

    /// Returns the result; a cancelled task does not wait for it.
    nonisolated(nonsending) func value() async throws -> Value {
        waiting += 1
        defer { waiting -= 1 }
        let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
        Task { [task] in continuation.yield(await task.result) }
        for await result in results { return try result.get() }
        // The stream of a cancelled task ends without a result.
        if waiting == 1 { task.cancel() }
        throw CancellationError()
    }
}

package import Primitives
package import SharedState
import Synchronization

/// A shared engine in memory, which tests let fail, forget and lose races.
///
/// Each call first yields, so calls of several tasks interleave. Then `onCall` decides what becomes of it.
package final class FakeEngine: SharedEngine {
    /// A call, as `onCall` sees it.
    package enum Call: Sendable, Hashable {
        case create(SharedKey)
        case read(SharedKey)
        case readWithLog(SharedKey)
        case exchange(SharedKey, SharedWrite)
        case delete(SharedKey)
        case usage

        /// The key of the call; nil if it has none.
        package var key: SharedKey? {
            switch self {
            case .create(let key), .read(let key), .readWithLog(let key), .exchange(let key, _), .delete(let key): key
            case .usage: nil
            }
        }

        /// Whether the call may change a value.
        package var isWrite: Bool {
            switch self {
            case .create, .exchange, .delete: true
            case .read, .readWithLog, .usage: false
            }
        }
    }

    /// What becomes of a call.
    package enum Fate: Sendable {
        /// The call has its effect and its result.
        case works
        /// The call has no effect and throws the error.
        case fails(SharedStateError)
        /// The call has its effect, and its reply is lost.
        case losesReply
        /// The call has its effect after the gate is opened.
        case waits(Gate)
        /// The call has its effect, and its reply comes after the gate is opened.
        case repliesLate(Gate)
    }

    fileprivate struct Stored: Sendable {
        var value: SharedValue
        var log: [[UInt8]]
        var end: WallTime
    }

    fileprivate struct Delivery: Sendable {
        let event: SharedEvent
        let watches: [Int]
    }

    fileprivate struct State: Sendable {
        var stored: [SharedKey: Stored] = [:]
        var watches: [Int: (key: SharedKey, receive: @Sendable (SharedEvent) -> Void)] = [:]
        var lastWatch = 0
        var isConnected = true
        var deliveries: [Delivery] = []
        var isDelivering = false
        var usage: SharedUsage?
        var status = SharedStatus(isAvailable: true, since: .now)
        var calls: [Call] = []
        var onCall: @Sendable (Call) -> Fate = { _ in .works }

        mutating func notify(_ key: SharedKey, _ event: SharedEvent) {
            guard isConnected else { return }
            let watching = watches.filter { $0.value.key == key }.map(\.key)
            if !watching.isEmpty { deliveries.append(Delivery(event: event, watches: watching)) }
        }
    }

    private let state = Mutex(State())
    private let clock: @Sendable () -> WallTime

    /// Creates an empty engine with the time of `clock`.
    package init(clock: @escaping @Sendable () -> WallTime) {
        self.clock = clock
    }

    // MARK: The test's side

    /// The calls so far.
    package var calls: [Call] { state.withLock { $0.calls } }

    /// Sets the function that decides on each call; it may call the engine's functions for tests.
    package func onCall(_ decide: @escaping @Sendable (Call) -> Fate) {
        state.withLock { $0.onCall = decide }
    }

    /// Sets the usage that is reported; nil for the true number of keys without a limit of memory.
    package func report(_ usage: SharedUsage?) {
        state.withLock { $0.usage = usage }
    }

    /// Everything that the engine stores: to restore it later is to lose the writes between.
    package struct Contents: Sendable {
        fileprivate let stored: [SharedKey: Stored]
    }

    /// What the engine stores.
    package var contents: Contents {
        get { state.withLock { Contents(stored: $0.stored) } }
        set { state.withLock { $0.stored = newValue.stored } }
    }

    /// Forgets all values, without an event.
    package func forgetAll() {
        state.withLock { $0.stored = [:] }
    }

    /// Forgets a value, without an event.
    package func forget(_ key: SharedKey) {
        state.withLock { $0.stored[key] = nil }
    }

    /// Replaces the bytes of a value, as another program could.
    package func overwrite(_ key: SharedKey, with value: SharedValue) {
        state.withLock { $0.stored[key]?.value = value }
    }

    /// The keys that have a value.
    package var keys: Set<SharedKey> {
        let now = clock()
        return state.withLock { state in Set(state.stored.keys.filter { state.live($0, now) != nil }) }
    }

    /// The number of watches.
    package var watchCount: Int { state.withLock { $0.watches.count } }

    /// The keys of the watches.
    package var watchedKeys: [SharedKey] { state.withLock { $0.watches.values.map(\.key) } }

    /// Loses the events from now on, as an interrupted subscription does.
    package func interruptWatches() {
        state.withLock { $0.isConnected = false }
    }

    /// Ends the interruption: every watch gets `ready`.
    package func resumeWatches() {
        state.withLock { state in
            state.isConnected = true
            state.deliveries.append(Delivery(event: .ready, watches: Array(state.watches.keys)))
        }
        deliver()
    }

    // MARK: The engine

    package var now: WallTime { clock() }

    package var status: SharedStatus { state.withLock { $0.status } }

    package func create(
        _ key: SharedKey,
        _ value: SharedValue,
        timeToLive: Duration
    ) async throws(SharedStateError) -> SharedCreation {
        try await perform(.create(key)) { state, now in
            if let present = state.live(key, now) { return .exists(present.value) }
            state.stored[key] = Stored(value: value, log: [], end: now + timeToLive)
            return .created
        }
    }

    package func read(_ key: SharedKey) async throws(SharedStateError) -> SharedValue? {
        try await perform(.read(key)) { state, now in state.live(key, now)?.value }
    }

    package func readWithLog(_ key: SharedKey) async throws(SharedStateError) -> SharedEntry? {
        try await perform(.readWithLog(key)) { state, now in
            state.live(key, now).map { SharedEntry($0.value, log: $0.log) }
        }
    }

    package func exchange(_ key: SharedKey, _ write: SharedWrite) async throws(SharedStateError) -> SharedExchange {
        try await perform(.exchange(key, write)) { state, now in
            guard var present = state.live(key, now) else { return .missing }
            guard present.value.version == write.base else { return .conflict(present.value) }
            precondition(write.dropping <= present.log.count, "a write drops more entries than there are")
            // The only reference to the log, so it is changed in place: some tests make thousands of writes.
            state.stored[key] = nil
            present.value = write.value
            if write.endsLog { present.log = [] }
            present.log.removeFirst(write.dropping)
            present.log += write.appending
            present.end = now + write.timeToLive
            state.stored[key] = present
            state.notify(key, .written(write.value.bytes + write.note))
            return .done
        }
    }

    package func delete(_ key: SharedKey, base: SharedVersion) async throws(SharedStateError) -> SharedExchange {
        try await perform(.delete(key)) { state, now in
            guard let present = state.live(key, now) else { return .missing }
            guard present.value.version == base else { return .conflict(present.value) }
            state.stored[key] = nil
            state.notify(key, .deleted)
            return .done
        }
    }

    package func watch(_ key: SharedKey, _ receive: @escaping @Sendable (SharedEvent) -> Void) -> SharedWatch {
        let watch = state.withLock { state in
            state.lastWatch += 1
            state.watches[state.lastWatch] = (key, receive)
            if state.isConnected {
                state.deliveries.append(Delivery(event: .ready, watches: [state.lastWatch]))
            }
            return SharedWatch(key: key, number: state.lastWatch)
        }
        deliver()
        return watch
    }

    package func unwatch(_ watch: SharedWatch) {
        state.withLock { $0.watches[watch.number] = nil }
    }

    package func usage() async throws(SharedStateError) -> SharedUsage {
        try await perform(.usage) { state, now in
            let keys = state.stored.keys.count { $0.isCounted && state.live($0, now) != nil }
            return state.usage ?? SharedUsage(keys: keys, bytes: 0, maxBytes: nil)
        }
    }

    /// Carries out a call as `onCall` decides.
    private func perform<Result: Sendable>(
        _ call: Call,
        _ effect: @Sendable (inout State, WallTime) -> Result
    ) async throws(SharedStateError) -> Result {
        await Task.yield()
        if Task.isCancelled { throw .cancelled }
        let decide = state.withLock { state in
            state.calls.append(call)
            return state.onCall
        }
        let fate = decide(call)
        switch fate {
        case .fails(let error): throw error
        case .waits(let gate): await gate.wait()
        case .works, .losesReply, .repliesLate: break
        }
        let now = clock()
        let result = state.withLock { effect(&$0, now) }
        deliver()
        await Task.yield()
        if case .repliesLate(let gate) = fate { await gate.wait() }
        if case .losesReply = fate { throw .unknownOutcome }
        return result
    }

    /// Delivers the events in order; one caller at a time does it for all.
    private func deliver() {
        guard state.withLock({ $0.beginDelivery() }) else { return }
        while let (event, receivers) = state.withLock({ $0.nextDelivery() }) {
            for receive in receivers { receive(event) }
        }
    }

    /// Holds calls back until a test opens it.
    package final class Gate: Sendable {
        private struct Waiting: Sendable {
            var isOpen = false
            var continuations: [CheckedContinuation<Void, Never>] = []
        }

        private let waiting = Mutex(Waiting())

        package init() {}

        /// The number of calls that wait.
        package var count: Int { waiting.withLock { $0.continuations.count } }

        package func open() {
            let continuations = waiting.withLock { waiting in
                waiting.isOpen = true
                defer { waiting.continuations = [] }
                return waiting.continuations
            }
            for continuation in continuations { continuation.resume() }
        }

        package func wait() async {
            await withCheckedContinuation { continuation in
                let isOpen = waiting.withLock { waiting in
                    if !waiting.isOpen { waiting.continuations.append(continuation) }
                    return waiting.isOpen
                }
                if isOpen { continuation.resume() }
            }
        }
    }
}

extension FakeEngine.State {
    /// Returns the value of a key, unless it has ended.
    fileprivate func live(_ key: SharedKey, _ now: WallTime) -> FakeEngine.Stored? {
        guard let stored = stored[key], stored.end.milliseconds > now.milliseconds else { return nil }
        return stored
    }

    /// Returns true if the caller has to deliver the events.
    fileprivate mutating func beginDelivery() -> Bool {
        guard !isDelivering, !deliveries.isEmpty else { return false }
        isDelivering = true
        return true
    }

    /// Removes the next event, with the functions that receive it; nil ends the delivery.
    fileprivate mutating func nextDelivery() -> (SharedEvent, [@Sendable (SharedEvent) -> Void])? {
        guard !deliveries.isEmpty else {
            isDelivering = false
            return nil
        }
        let next = deliveries.removeFirst()
        return (next.event, next.watches.compactMap { watches[$0]?.receive })
    }
}

extension WallTime {
    fileprivate static func + (moment: WallTime, time: Duration) -> WallTime {
        let (seconds, attoseconds) = time.components
        let milliseconds = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
        return WallTime(milliseconds: moment.milliseconds + milliseconds)
    }
}

package import Primitives
package import SharedState
import Synchronization

/// A shared store in memory, which tests let fail, forget and lose races.
///
/// Each call first yields, so calls of several tasks interleave. Then `onCall` decides what becomes of it.
package final class FakeStore: SharedStore {
    /// A call, as `onCall` sees it.
    package struct Call: Sendable, Hashable {
        package enum Operation: Sendable, Hashable {
            case create, read, readWithLog, commit, remove
            case claim, replace, release, get, put
            case share, unshare, count
        }

        package let operation: Operation
        package let key: String
        /// The change of a record; nil for other calls.
        package let commit: Commit?

        /// Whether the call may change something.
        package var isWrite: Bool { ![.read, .readWithLog, .get].contains(operation) }

        /// Whether a server without memory refuses the call.
        fileprivate var needsMemory: Bool {
            operation == .commit ? commit?.log != nil : [.create, .claim, .replace, .put].contains(operation)
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

    enum Content: Sendable {
        case record(LoggedRecord)
        case value([UInt8])
        /// The members of a share, with the ends of their counting.
        case share([[UInt8]: WallTime])
        /// The calls of an hour; they end with it.
        case calls(Int)
    }

    struct Stored: Sendable {
        var content: Content
        var end: WallTime
    }

    struct Delivery: Sendable {
        let event: WatchEvent
        let watches: [Int]
    }

    struct State: Sendable {
        var stored: [String: Stored] = [:]
        var watches: [Int: (key: String, receive: @Sendable (WatchEvent) -> Void)] = [:]
        var lastWatch = 0
        var isConnected = true
        var isFull = false
        var deliveries: [Delivery] = []
        var isDelivering = false
        var status = SharedStatus(isAvailable: true, since: .now)
        var calls: [Call] = []
        var onCall: @Sendable (Call) -> Fate = { _ in .works }
    }

    private let state = Lock(State())
    private let clock: @Sendable () -> WallTime

    /// Creates an empty store with the time of `clock`.
    package init(clock: @escaping @Sendable () -> WallTime) {
        self.clock = clock
    }

    // MARK: The test's side

    /// The calls so far.
    package var calls: [Call] { state.withLock { $0.calls } }

    /// Sets the function that decides on each call; it may call the store's functions for tests.
    package func onCall(_ decide: @escaping @Sendable (Call) -> Fate) {
        state.withLock { $0.onCall = decide }
    }

    /// Whether the store has no memory.
    package var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// Everything that is stored: to restore it later is to lose the writes between.
    package struct Contents: Sendable {
        fileprivate let stored: [String: Stored]
    }

    /// What is stored.
    package var contents: Contents {
        get { state.withLock { Contents(stored: $0.stored) } }
        set { state.withLock { $0.stored = newValue.stored } }
    }

    /// Forgets everything, without an event.
    package func forgetAll() {
        state.withLock { $0.stored = [:] }
    }

    /// Forgets a key, without an event.
    package func forget(_ key: String) {
        state.withLock { $0.stored[key] = nil }
    }

    /// Replaces the bytes of a record or a value, as another program could.
    package func overwrite(_ key: String, with bytes: [UInt8]) {
        state.withLock { state in
            switch state.stored[key]?.content {
            case .record(let logged):
                let record = LoggedRecord(bytes, start: logged.start, entries: logged.entries)
                state.stored[key]?.content = .record(record)
            case .value: state.stored[key]?.content = .value(bytes)
            case .share, .calls, nil: break
            }
        }
    }

    /// The keys that have something.
    package var keys: Set<String> {
        let now = clock()
        return state.withLock { state in Set(state.stored.keys.filter { state.live($0, now) != nil }) }
    }

    /// The number of members that a share counts.
    package func members(of key: String) -> Int {
        let now = clock()
        return state.withLock { $0.members(key, now).count }
    }

    /// The number of watches.
    package var watchCount: Int { state.withLock { $0.watches.count } }

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

    package var status: SharedStatus { state.withLock { $0.status } }

    // MARK: Records

    package func create(
        _ key: String,
        _ record: [UInt8],
        timeToLive: Duration
    ) async throws(SharedStateError) -> CommitResult {
        try await perform(.create, key) { state, now throws(SharedStateError) in
            if let present = try state.record(key, now) { return .conflict(present.record) }
            state.stored[key] = Stored(content: .record(LoggedRecord(record)), end: now.adding(timeToLive))
            return .done
        }
    }

    package func read(_ key: String) async throws(SharedStateError) -> [UInt8]? {
        try await perform(.read, key) { state, now throws(SharedStateError) in try state.record(key, now)?.record }
    }

    package func readWithLog(_ key: String, limit: Int) async throws(SharedStateError) -> LoggedRecord? {
        try await perform(.readWithLog, key) { state, now throws(SharedStateError) in
            guard let record = try state.record(key, now) else { return nil }
            return LoggedRecord(record.record, start: record.start, entries: Array(record.entries.prefix(limit)))
        }
    }

    package func commit(_ key: String, _ commit: Commit) async throws(SharedStateError) -> CommitResult {
        try await perform(.commit, key, commit) { state, now throws(SharedStateError) in
            try state.write(key, commit, now)
        }
    }

    package func remove(_ key: String, base: RecordVersion) async throws(SharedStateError) -> CommitResult {
        try await perform(.remove, key) { state, now throws(SharedStateError) in
            guard let present = try state.record(key, now) else { return .missing }
            guard RecordVersion(present.record) == base else { return .conflict(present.record) }
            state.stored[key] = nil
            state.notify(key, .deleted)
            return .done
        }
    }

    package func watch(_ key: String, _ receive: @escaping @Sendable (WatchEvent) -> Void) -> @Sendable () -> Void {
        let watch = state.withLock { state in
            state.lastWatch += 1
            state.watches[state.lastWatch] = (key, receive)
            if state.isConnected {
                state.deliveries.append(Delivery(event: .ready, watches: [state.lastWatch]))
            }
            return state.lastWatch
        }
        deliver()
        return { [self] in state.withLock { $0.watches[watch] = nil } }
    }

    // MARK: Values

    package func claim(
        _ key: String,
        _ value: [UInt8],
        timeToLive: Duration
    ) async throws(SharedStateError) -> [UInt8]? {
        try await perform(.claim, key) { state, now throws(SharedStateError) in
            if let present = try state.value(key, now) { return present }
            state.stored[key] = Stored(content: .value(value), end: now.adding(timeToLive))
            return nil
        }
    }

    package func replace(
        _ key: String,
        claim: [UInt8],
        with value: [UInt8],
        timeToLive: Duration
    ) async throws(SharedStateError) -> Bool {
        try await perform(.replace, key) { state, now throws(SharedStateError) in
            guard try state.value(key, now) == claim else { return false }
            state.stored[key] = Stored(content: .value(value), end: now.adding(timeToLive))
            return true
        }
    }

    package func release(_ key: String, claim: [UInt8]) async throws(SharedStateError) -> Bool {
        try await perform(.release, key) { state, now throws(SharedStateError) in
            guard try state.value(key, now) == claim else { return false }
            state.stored[key] = nil
            return true
        }
    }

    package func get(_ key: String) async throws(SharedStateError) -> [UInt8]? {
        try await perform(.get, key) { state, now throws(SharedStateError) in try state.value(key, now) }
    }

    package func put(_ values: [String: [UInt8]], timeToLive: Duration) async throws(SharedStateError) {
        for (key, value) in values {
            try await perform(.put, key) { state, now in
                state.stored[key] = Stored(content: .value(value), end: now.adding(timeToLive))
            }
        }
    }

    // MARK: Limits

    package func share(
        _ key: String,
        _ member: [UInt8],
        for time: Duration,
        limit: Int
    ) async throws(SharedStateError) -> Bool {
        try await perform(.share, key) { state, now in
            var members = state.members(key, now)
            guard members.count < limit || members[member] != nil else { return false }
            let end = now.adding(time)
            members[member] = [members[member], end].compactMap(\.self).max { $0.milliseconds < $1.milliseconds }
            let last = members.values.max { $0.milliseconds < $1.milliseconds }
            state.stored[key] = Stored(content: .share(members), end: last ?? end)
            return true
        }
    }

    package func release(_ key: String, member: [UInt8]) async throws(SharedStateError) {
        try await perform(.unshare, key) { state, now in
            var members = state.members(key, now)
            members[member] = nil
            let end = state.stored[key]?.end ?? now
            state.stored[key] = members.isEmpty ? nil : Stored(content: .share(members), end: end)
        }
    }

    package func count(_ key: String, known: HourlyCount, limit: Int) async throws(SharedStateError) -> CountedCall {
        try await perform(.count, key) { state, now in
            let seconds = now.milliseconds / 1000
            var count = HourlyCount(hour: seconds / 3600)
            if case .calls(let stored) = state.live(key, now)?.content { count.used = stored }
            if known.hour == count.hour { count.used = max(count.used, known.used) }
            let isAllowed = count.used < limit
            if isAllowed { count.used += 1 }
            let secondsLeft = 3600 - seconds % 3600
            state.stored[key] = Stored(content: .calls(count.used), end: now.adding(.seconds(secondsLeft)))
            return CountedCall(isAllowed: isAllowed, count: count, secondsLeft: secondsLeft)
        }
    }

    // MARK: Calls

    /// Carries out a call as `onCall` decides.
    private func perform<Result: Sendable>(
        _ operation: Call.Operation,
        _ key: String,
        _ commit: Commit? = nil,
        _ effect: @Sendable (inout State, WallTime) throws(SharedStateError) -> Result
    ) async throws(SharedStateError) -> Result {
        await Task.yield()
        if Task.isCancelled { throw .cancelled }
        let call = Call(operation: operation, key: key, commit: commit)
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
        if isFull, call.needsMemory { throw .full }
        let now = clock()
        let result = state.withLock { state -> Swift.Result<Result, SharedStateError> in
            do throws(SharedStateError) { return .success(try effect(&state, now)) } catch { return .failure(error) }
        }
        deliver()
        await Task.yield()
        if case .repliesLate(let gate) = fate { await gate.wait() }
        if case .losesReply = fate { throw .unknownOutcome }
        return try result.get()
    }

    /// Delivers the events in order; one caller at a time does it for all.
    private func deliver() {
        guard state.withLock({ $0.beginDelivery() }) else { return }
        while let (event, receivers) = state.withLock({ $0.nextDelivery() }) {
            for receive in receivers { receive(event) }
        }
    }
}

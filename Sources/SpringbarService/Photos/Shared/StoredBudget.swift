import Logging
import PhotoFeed
import Primitives
import SharedState
import Synchronization

/// The value of the shared budget in the store: reads and writes it.
final class StoredBudget: Sendable {
    /// The key of the value.
    static let key = SharedKey("budget")
    /// The time after the last write for which the store keeps the value: longer than any state in it matters.
    private static let timeToLive = Duration.seconds(2 * 86_400)

    /// A state of the store, or one that follows from it.
    struct Copy: Sendable {
        var gate: UpstreamGate
        /// The version and the bytes in the store; nil if the store has no value.
        var stored: (version: SharedVersion, bytes: [UInt8])?

        /// Whether this is a state of the store after the other one.
        func follows(_ other: Copy) -> Bool {
            guard let stored, let earlier = other.stored else { return false }
            return stored.version.follows(earlier.version)
        }
    }

    private let engine: any SharedEngine
    private let limit: Int
    private let origin: ContinuousClock.Instant
    private let logger: Logger
    private let unreadableCount = Atomic(0)

    /// - Parameters:
    ///   - engine: the shared store.
    ///   - limit: the calls of an hour, at least 1.
    ///   - origin: the time of this process that stands for 1970 by the clock of the engine.
    ///   - logger: gets the states that cannot be read.
    init(engine: any SharedEngine, limit: Int, origin: ContinuousClock.Instant, logger: Logger) {
        self.engine = engine
        self.limit = limit
        self.origin = origin
        self.logger = logger
    }

    /// The time of the engine, as one of this process.
    var now: ContinuousClock.Instant { origin + .milliseconds(engine.now.milliseconds) }

    /// The states that could not be read.
    var unreadable: Int { unreadableCount.load(ordering: .relaxed) }

    /// Returns a gate for an hour without calls.
    func fresh(_ now: ContinuousClock.Instant) -> UpstreamGate {
        .shared(limit: limit, now: now, origin: origin)
    }

    /// The bytes of a gate in the store.
    func bytes(of gate: UpstreamGate) -> [UInt8] { gate.bytes(since: origin) }

    /// Reads the state; without one in the store, returns what this replica knows of the hour.
    func read(after known: Copy?) async throws(UpstreamError) -> Copy {
        let value: SharedValue?
        do throws(SharedStateError) {
            value = try await engine.read(StoredBudget.key)
        } catch {
            throw error.forPhotos
        }
        if let value { return try decode(value, after: known) }
        return Copy(gate: known?.gate ?? fresh(now))
    }

    /// Reads a value of the store.
    ///
    /// A value that does not follow the known state shows that the store has lost writes. Then the calls that this replica
    /// knows of count, too.
    func decode(_ value: SharedValue, after known: Copy?) throws(UpstreamError) -> Copy {
        var copy: Copy
        do throws(GateBytesError) {
            let gate = try UpstreamGate(value.content, limit: limit, since: origin)
            copy = Copy(gate: gate, stored: (value.version, Array(value.content)))
        } catch {
            unreadableCount.add(1, ordering: .relaxed)
            logger.error("the stored budget of calls cannot be read", metadata: ["error": "\(error)"])
            throw .storeUnavailable
        }
        if let known, known.stored?.version != value.version, !copy.follows(known) {
            copy.gate.restrict(by: known.gate)
        }
        return copy
    }

    /// Writes a state over that of a version, or as the first one.
    ///
    /// If the outcome is unknown, it is sent once more; the version shows whether it was this write. If that fails, too,
    /// the calls in it are possibly counted, and are not made.
    func write(_ value: SharedValue, over base: SharedVersion?) async throws(UpstreamError) -> SharedExchange {
        var outcome: SharedExchange
        do throws(SharedStateError) {
            outcome = try await send(value, over: base)
        } catch .unknownOutcome {
            do throws(SharedStateError) {
                outcome = try await send(value, over: base)
            } catch {
                throw error.forPhotos
            }
        } catch {
            throw error.forPhotos
        }
        if case .conflict(let present) = outcome, present.version == value.version { outcome = .done }
        return outcome
    }

    private func send(
        _ value: SharedValue,
        over base: SharedVersion?
    ) async throws(SharedStateError) -> SharedExchange {
        if let base {
            let write = SharedWrite(base: base, value: value, timeToLive: StoredBudget.timeToLive)
            return try await engine.exchange(StoredBudget.key, write)
        }
        switch try await engine.create(StoredBudget.key, value, timeToLive: StoredBudget.timeToLive) {
        case .created: return .done
        case .exists(let present): return .conflict(present)
        }
    }
}

extension SharedStateError {
    /// The error as that of a call of the library.
    var forPhotos: UpstreamError {
        switch self {
        case .unavailable, .unknownOutcome, .full, .refused: .storeUnavailable
        case .cancelled: .cancelled
        }
    }
}

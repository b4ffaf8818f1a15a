package import Logging
package import Primitives
package import SharedState
import Synchronization

/// The records that replicas share in a store outside of the process: pages, details and documents.
///
/// A replica that lacks a record asks the store, and claims the fetch in the same call. So one replica at a time calls the
/// library for a record. It stores the record in place of the claim, and the replicas that wait find it there. A claim
/// that was lost, since the replica was stopped for a while, is not replaced: the record of the other replica is the
/// answer, so that a snapshot has the same pages everywhere.
package final class SharedPhotos: Sendable {
    let store: any SharedStore
    /// The time for which a store without a count of calls grants none, so that every replica can report what it knows.
    let hold: Duration
    private let wallTime: @Sendable () -> WallTime
    let pause: @Sendable (Duration) async throws -> Void
    private let faultCount = Atomic(0)
    let logger: Logger

    /// The most attempts: a claim can be lost before its answer is stored, and a record can be unusable.
    private static let attempts = 3

    package static let reportInterval = Duration.seconds(1)

    /// Shares photos in a store; `clock` is the time of day, by which replicas compute the age of a record.
    package init(
        store: any SharedStore,
        logger: Logger,
        clock: @escaping @Sendable () -> WallTime = { .now },
        hold: Duration = .zero,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.store = store
        self.logger = logger
        wallTime = clock
        self.hold = hold
        self.pause = pause
    }

    /// The records that could not be read or stored.
    package var faults: Int { faultCount.load(ordering: .relaxed) }

    /// Returns 16 random bytes, by which a replica recognises a value as its own.
    static func makeNonce() -> [UInt8] { (0..<16).map { _ in .random(in: .min ... .max) } }

    /// The time of day by which replicas compute the age of a record, at a moment of this process.
    func clock(at moment: Instant) -> SteadyClock { SteadyClock(origin: wallTime(), start: moment) }

    /// Counts and logs a record that could not be read or stored; the replica goes on without it.
    private func logFault(_ fault: String, _ error: any Error) {
        // The client has left, or the service ends.
        if error as? SharedStateError == .cancelled { return }
        faultCount.add(1, ordering: .relaxed)
        logger.error("\(fault)", metadata: ["error": "\(error)"])
    }

    /// Reads the value of a key; nil if it is not a record.
    func record(_ bytes: [UInt8], now: Instant) -> PhotoRecord? {
        guard !SharedPhotos.isClaim(bytes) else { return nil }
        return logged("a stored page or photo cannot be read") { try PhotoRecord(bytes, clock(at: now)) }
    }

    /// Returns the bytes of a record; nil if no replica could read them.
    private func bytes(of record: PhotoRecord, now: Instant) -> [UInt8]? {
        logged("a page or photo cannot be stored") { try record.bytes(clock(at: now)) }
    }

    private func logged<Value>(_ fault: String, _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            logFault(fault, error)
            return nil
        }
    }

    /// Reads the record of a key; nil if there is none, or the store is away.
    func read(_ key: SharedKey, now: Instant) async -> PhotoRecord? {
        (try? await store.get(key))?.flatMap { record($0, now: now) }
    }

    /// Reads pages of a snapshot, in the order of their numbers; those that are missing or cannot be read are left out.
    func pages(_ numbers: [Int], of snapshot: UInt64, _ feed: Feed, now: Instant) async -> [KeptPage] {
        var pages: [KeptPage] = []
        for number in numbers {
            guard case .page(let page, feed.identity) = await read(.page(number, of: snapshot), now: now),
                page.snapshot == snapshot
            else { continue }
            pages.append(page)
        }
        return pages.sorted { $0.number < $1.number }
    }

    func put(_ entry: Entry, in key: SharedKey, now: Instant) async {
        guard let bytes = bytes(of: entry.record, now: now) else { return }
        await put([key: bytes], timeToLive: entry.timeToLive)
    }

    /// Stores the key of a record for each of its photos.
    func putPlaces(of photos: [Photo], in key: SharedKey) async {
        let places = photos.map { (SharedKey.place(of: $0.id), Array(key.text.utf8)) }
        await put(Dictionary(places) { first, _ in first }, timeToLive: PhotoRecord.timeToLive)
    }

    /// Stores values; a failure is counted, and other replicas fetch what they lack.
    private func put(_ values: [SharedKey: [UInt8]], timeToLive: Duration) async {
        do {
            try await store.put(values, timeToLive: timeToLive)
        } catch {
            logFault("a page or photo cannot be stored", error)
        }
    }

    /// A record, and the time for which the store keeps it.
    typealias Entry = (record: PhotoRecord, timeToLive: Duration)

    /// Returns the answer of a key: from the store, or fetched by this replica.
    ///
    /// It claims the key, or waits until the replica that has the claim stores a record. A fetch costs a call of the hour's
    /// budget, so it is made once: this replica keeps an answer that cannot be stored. `accept` returns the answer that a
    /// record is, or nil if it cannot be used. `entry` returns what to store, or nil for an answer that is not shared.
    func obtain<Found: Sendable>(
        _ key: SharedKey,
        now: () -> Instant,
        accept: (PhotoRecord) async -> Found?,
        fetch: () async throws(UpstreamError) -> Found,
        entry: (Found) async -> Entry?
    ) async throws(UpstreamError) -> Found {
        let claim = SharedPhotos.makeClaim()
        var fetched: Found?
        var attempts = 0
        var wait = SharedPhotos.waits.first
        var waited = Duration.zero
        while attempts < SharedPhotos.attempts, waited < SharedPhotos.longestWait {
            let present: [UInt8]?
            do throws(SharedStateError) {
                present = try await store.claim(key, claim, timeToLive: SharedPhotos.claimLife)
            } catch {
                if let fetched { return fetched }
                guard error == .refused || error == .full else { throw error.forPhotos }
                // The key cannot have a claim, such as one of another type: this replica fetches for itself.
                logFault("a claim cannot be stored", error)
                return try await fetch()
            }
            // The claim of an earlier call with an unknown outcome is this one.
            guard let present, present != claim else {
                let found = if let fetched { fetched } else { try await holding(claim, key, fetch) }
                fetched = found
                guard let (record, life) = await entry(found), let bytes = bytes(of: record, now: now()) else {
                    _ = try? await store.release(key, claim: claim)
                    return found
                }
                if await commit(bytes, life, claim, key) { return found }
                attempts += 1
                continue
            }
            if SharedPhotos.isClaim(present) {
                do { try await pause(wait) } catch { throw .cancelled }
                waited += wait
                wait = min(wait * 2, SharedPhotos.waits.longest)
            } else if let record = record(present, now: now()), let found = await accept(record) {
                return found
            } else {
                attempts += 1
                _ = try? await store.release(key, claim: present)
            }
        }
        if let fetched { return fetched }
        return try await fetch()
    }

    /// Fetches, and extends the claim meanwhile; a fetch that fails releases the claim.
    private func holding<Found: Sendable>(
        _ claim: [UInt8],
        _ key: SharedKey,
        _ fetch: () async throws(UpstreamError) -> Found
    ) async throws(UpstreamError) -> Found {
        try await withTaskGroup(of: Void.self) { group async -> Result<Found, UpstreamError> in
            group.addTask { [self] in await extend(claim, key) }
            defer { group.cancelAll() }
            do throws(UpstreamError) {
                return .success(try await fetch())
            } catch {
                _ = try? await store.release(key, claim: claim)
                return .failure(error)
            }
        }.get()
    }

    /// Extends a claim until it is lost or the task is cancelled.
    private func extend(_ claim: [UInt8], _ key: SharedKey) async {
        var isHeld = true
        while isHeld {
            do { try await pause(SharedPhotos.renewal) } catch { return }
            // A call that was refused at once leaves two seconds for the next one. After a time-out the claim has ended.
            let reply = try? await store.replace(key, claim: claim, with: claim, timeToLive: SharedPhotos.claimLife)
            isHeld = reply ?? !Task.isCancelled
        }
    }

    /// Stores an answer in place of its claim; returns false if the claim was lost.
    private func commit(_ bytes: [UInt8], _ life: Duration, _ claim: [UInt8], _ key: SharedKey) async -> Bool {
        do {
            return try await store.replace(key, claim: claim, with: bytes, timeToLive: life)
        } catch {
            logFault("a page or photo cannot be stored", error)
            _ = try? await store.release(key, claim: claim)
            return true
        }
    }
}

/// A claim is the right to fetch the record of a key: a value that the record replaces, and that ends unless extended.
extension SharedPhotos {
    /// Returns a claim: a mark, with which no record begins, and random bytes.
    static func makeClaim() -> [UInt8] { [claimMark] + makeNonce() }

    private static func isClaim(_ value: [UInt8]) -> Bool { value.first == claimMark }

    private static let claimMark: UInt8 = 0
    /// A replica that ends during a fetch delays others by this time.
    private static let claimLife = Duration.seconds(3)
    private static let renewal = Duration.seconds(1)
    /// The first wait for the claim of another replica, and the longest one; each is twice the one before.
    private static let waits = (first: Duration.milliseconds(25), longest: Duration.milliseconds(250))
    /// The longest wait for a record, which ends before unless the store keeps a claim without an end.
    private static let longestWait = Duration.seconds(60)
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

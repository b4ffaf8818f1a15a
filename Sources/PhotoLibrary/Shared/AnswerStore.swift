package import Logging
import Primitives
package import SharedState
import Synchronization

/// The answers of the library that replicas share in a store outside of the process.
///
/// A replica that lacks an answer asks the store, and claims the fetch in the same call. So one replica at a time calls the
/// library for a target. It stores the answer in place of the claim, and the replicas that wait find it there. A claim
/// that was lost, since the replica was stopped for a while, is not replaced: the answer of the other replica is used.
package final class AnswerStore: Sendable {
    let store: any SharedStore
    private let pause: @Sendable (Duration) async throws -> Void
    private let faultCount = Atomic(0)
    private let logger: Logger

    /// The most attempts: a claim can be lost before its answer is stored, and a record can be unusable.
    private static let attempts = 3

    /// Shares photos in a store.
    package init(
        store: any SharedStore,
        logger: Logger,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.store = store
        self.logger = logger
        self.pause = pause
    }

    /// The records that could not be read or stored.
    package var faults: Int { faultCount.load(ordering: .relaxed) }

    /// Returns 16 random bytes, by which a replica recognises a value as its own.
    static func makeNonce() -> [UInt8] { (0..<16).map { _ in .random(in: .min ... .max) } }

    /// Counts and logs a record that could not be read or stored; the replica goes on without it.
    private func logFault(_ fault: String, _ error: any Error) {
        // The client has left, or the service ends.
        if error as? SharedStateError == .cancelled { return }
        faultCount.add(1, ordering: .relaxed)
        logger.error("\(fault)", metadata: ["error": "\(error)"])
    }

    /// Reads a record; nil if the bytes are a claim or damaged.
    private func record(_ bytes: [UInt8], _ clock: SteadyClock) -> (target: String, answer: LibraryCache.Answer)? {
        guard !AnswerStore.isClaim(bytes) else { return nil }
        do {
            return try AnswerRecord.read(bytes, clock)
        } catch {
            logFault("a stored answer of the library cannot be read", error)
            return nil
        }
    }

    /// Returns the answer that has a photo, from this or another replica; nil if there is none, or the store is away.
    func answer(with photo: String, _ environment: LibraryCache.Environment) async -> LibraryCache.Answer? {
        guard let keyBytes = try? await store.get(AnswerRecord.recordKey(ofPhoto: photo)),
            let key = String(validating: keyBytes, as: UTF8.self), let bytes = try? await store.get(key)
        else { return nil }
        return record(bytes, environment.clock)?.answer
    }

    /// Stores the key of a record for each of its photos; a failure is counted, and other replicas fetch what they lack.
    private func putRecordKeys(of photos: [Photo], in key: String) async {
        let keys = photos.map { (AnswerRecord.recordKey(ofPhoto: $0.id), Array(key.utf8)) }
        do {
            try await store.put(Dictionary(keys) { first, _ in first }, timeToLive: Freshness.lists.staleIfError)
        } catch {
            logFault("an answer of the library cannot be stored", error)
        }
    }

    /// Returns an answer that a request accepts: from the store, or fetched by this replica.
    ///
    /// It claims the key, or waits until the replica that has the claim stores an answer. A fetch costs a call of the hour's
    /// budget, so it is made once: this replica keeps an answer that cannot be stored.
    func obtain(
        _ request: LibraryCache.Request,
        _ environment: LibraryCache.Environment,
        fetch: () async throws(UpstreamError) -> LibraryCache.Fetched
    ) async throws(UpstreamError) -> LibraryCache.Fetched {
        let (key, claim) = (AnswerRecord.key(of: request.target), AnswerStore.makeClaim())
        var fetched: LibraryCache.Fetched?
        var attempts = 0
        var wait = AnswerStore.waits.first
        var waited = Duration.zero
        while attempts < AnswerStore.attempts, waited < AnswerStore.longestWait {
            let stored: [UInt8]?
            do throws(SharedStateError) {
                stored = try await store.claim(key, claim, timeToLive: AnswerStore.claimLife)
            } catch {
                if let fetched { return fetched }
                guard error == .refused || error == .full else { throw error.forPhotos }
                // The key cannot have a claim, such as one of another type: this replica fetches for itself.
                logFault("a claim cannot be stored", error)
                return try await fetch()
            }
            // The claim of an earlier call with an unknown outcome is this one.
            guard let stored, stored != claim else {
                let own = if let fetched { fetched } else { try await holding(claim, key, fetch) }
                fetched = own
                guard own.answer.value.content.count <= AnswerRecord.largestContent else {
                    await release(claim, key)
                    return own
                }
                await putRecordKeys(of: own.photos, in: key)
                let bytes = AnswerRecord.bytes(own.answer, to: request.target, environment.clock)
                if await commit(bytes, request.freshness.staleWhileRevalidate, claim, key) { return own }
                attempts += 1
                continue
            }
            if AnswerStore.isClaim(stored) {
                do { try await pause(wait) } catch { throw .cancelled }
                waited += wait
                wait = min(wait * 2, AnswerStore.waits.longest)
            } else if let record = record(stored, environment.clock), record.target == request.target,
                request.accepts(record.answer, at: environment.now()),
                let photos = try? PhotoPayload.photos(in: record.answer.value, to: request.target)
            {
                return (record.answer, photos)
            } else {
                attempts += 1
                await release(stored, key)
            }
        }
        if let fetched { return fetched }
        return try await fetch()
    }

    /// Fetches, and extends the claim meanwhile; a fetch that fails releases the claim.
    private func holding<Found: Sendable>(
        _ claim: [UInt8],
        _ key: String,
        _ fetch: () async throws(UpstreamError) -> Found
    ) async throws(UpstreamError) -> Found {
        try await withTaskGroup(of: Void.self) { group async -> Result<Found, UpstreamError> in
            group.addTask { [self] in await extend(claim, key) }
            defer { group.cancelAll() }
            do throws(UpstreamError) {
                return .success(try await fetch())
            } catch {
                await release(claim, key)
                return .failure(error)
            }
        }.get()
    }

    /// Extends a claim until it is lost or the task is cancelled.
    private func extend(_ claim: [UInt8], _ key: String) async {
        var isHeld = true
        while isHeld {
            do { try await pause(AnswerStore.renewal) } catch { return }
            // A call that was refused at once leaves two seconds for the next one. After a time-out the claim has ended.
            let reply = try? await store.replace(key, claim: claim, with: claim, timeToLive: AnswerStore.claimLife)
            isHeld = reply ?? !Task.isCancelled
        }
    }

    /// Stores an answer in place of its claim; returns false if the claim was lost.
    private func commit(_ bytes: [UInt8], _ life: Duration, _ claim: [UInt8], _ key: String) async -> Bool {
        do {
            return try await store.replace(key, claim: claim, with: bytes, timeToLive: life)
        } catch {
            logFault("an answer of the library cannot be stored", error)
            await release(claim, key)
            return true
        }
    }

    /// Removes a value of a key, in a task of its own: a task that was cancelled, as that of a client that has left, would
    /// send nothing.
    private func release(_ value: [UInt8], _ key: String) async {
        _ = await Task { try await store.release(key, claim: value) }.result
    }
}

/// A claim is the right to fetch the record of a key: a value that the record replaces, and that ends unless extended.
extension AnswerStore {
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

/// The idempotency keys of downloads that replicas share: a repeated POST is reported once, whichever replica gets it.
extension AnswerStore {
    /// The version of the format, with which a value begins; the number of the writer and the photo follow.
    private static let reportFormat: UInt8 = 1

    /// Returns the photo of the earlier download with a key, or remembers this one for a time and returns nil.
    ///
    /// The call of the store is sent again while its outcome is unknown. If it remains unknown, the download counts as new:
    /// a retry would find the key of this attempt, and a report that was refused now would be lost.
    package func remember(_ photo: String, for key: String, _ life: Duration) async throws(UpstreamError) -> String? {
        let writer = AnswerStore.makeNonce()
        let value = [AnswerStore.reportFormat] + writer + photo.utf8
        let stored: [UInt8]?
        do {
            let retries = Retries(pause: pause)
            stored = try await retries.run { try await store.claim("r2:" + key, value, timeToLive: life) }.result
        } catch SharedStateError.unknownOutcome {
            return nil
        } catch {
            throw (error as? SharedStateError ?? .cancelled).forPhotos
        }
        guard let stored, stored != value else { return nil }
        guard stored.first == AnswerStore.reportFormat, stored.count > writer.count else {
            logger.error("a stored key of a download cannot be read")
            throw .storeUnavailable
        }
        return String(decoding: stored.dropFirst(1 + writer.count), as: UTF8.self)
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

import PhotoFeed
import Primitives
import SharedState

extension SharedPhotos {
    /// The origin of a record.
    enum Origin: Sendable {
        /// This replica has fetched it, and the store has it.
        case landed
        /// This replica has fetched it, and the store could not take it.
        case kept
        /// Another replica has fetched it.
        case replica
    }

    /// The most attempts to land a fetch, if its lease is lost or an outcome is unknown.
    private static let attempts = 3

    /// Returns the record of a key: from the store, or fetched by this replica.
    ///
    /// A fetch costs a call of the hour's budget, so it is made once: this replica keeps a record that cannot be landed.
    ///
    /// - Parameters:
    ///   - key: the key of the record.
    ///   - timeToLive: the time to live of the record in the store.
    ///   - accept: returns the answer that a record is; nil if the record is outdated.
    ///   - fetch: calls the library.
    ///   - land: stores the fetched record in place of the lease.
    /// - Returns: the answer, and its origin.
    /// - Throws: `storeUnavailable` if the store is away, so that nothing was fetched.
    func obtain<Found: Sendable>(
        _ key: SharedKey,
        timeToLive: Duration = PhotoRecord.timeToLive,
        accept: (SharedValue) async throws(SharedStateError) -> Found?,
        fetch: () async throws(UpstreamError) -> Found,
        land: (Found, FetchClaim) async throws(SharedStateError) -> FetchClaim.Landing
    ) async throws(UpstreamError) -> (found: Found, origin: Origin) {
        var fetched: Found?
        var isPossiblyLanded = false
        for _ in 0..<SharedPhotos.attempts {
            let permission: Permission<Found>
            do throws(SharedStateError) {
                permission = try await self.permission(for: key, timeToLive: timeToLive, accept: accept)
            } catch {
                if fetched != nil { break }
                throw error == .cancelled ? .cancelled : .storeUnavailable
            }
            switch permission {
            case .found(let found): return (found, isPossiblyLanded ? .landed : .replica)
            case .alone:
                if let fetched { return (fetched, .kept) }
                return (try await fetch(), .kept)
            case .fetch(let claim):
                let found: Found
                if let fetched {
                    found = fetched
                } else {
                    do throws(UpstreamError) {
                        found = try await holding(claim, fetch)
                    } catch {
                        await release(claim)
                        throw error
                    }
                    fetched = found
                }
                do throws(SharedStateError) {
                    let landing = try await holding(claim) { () async throws(SharedStateError) in
                        try await land(found, claim)
                    }
                    switch landing {
                    case .landed: return (found, .landed)
                    case .tooLarge: return (found, .kept)
                    case .lost: break
                    }
                } catch {
                    await release(claim)
                    guard error == .unknownOutcome else {
                        note("a page or photo cannot be stored", error)
                        return (found, .kept)
                    }
                    isPossiblyLanded = true
                }
            }
        }
        guard let fetched else { throw .storeUnavailable }
        return (fetched, .kept)
    }

    /// The permission of a replica for a key.
    enum Permission<Found> {
        /// Another replica has stored this.
        case found(Found)
        /// This replica fetches, and lands the record.
        case fetch(FetchClaim)
        /// The key cannot have a lease, such as one with a damaged value: this replica fetches for itself.
        case alone
    }

    /// Takes the lease of a key, or waits until the replica that has it lands a record.
    ///
    /// - Parameters:
    ///   - key: the key of the record.
    ///   - timeToLive: the time to live of the record.
    ///   - accept: returns the answer that a record is; nil if the record is outdated.
    /// - Returns: the record, or the right to fetch it.
    /// - Throws: the error of a store that is away.
    func permission<Found>(
        for key: SharedKey,
        timeToLive: Duration,
        accept: (SharedValue) async throws(SharedStateError) -> Found?
    ) async throws(SharedStateError) -> Permission<Found> {
        var claim = FetchClaim(lease: SharedLease(key, token: makeVersion()), recordLife: timeToLive)
        var changes: KeyChanges?
        defer { changes?.stop() }
        var waited: (token: SharedVersion, since: WallTime)?
        do throws(SharedStateError) {
            var creation = try await create(claim)
            while true {
                switch claim.step(for: creation) {
                case .fetch: return .fetch(claim)
                case .wait(let token):
                    let now = engine.now
                    let since = waited.flatMap { $0.token == token ? $0.since : nil } ?? now
                    waited = (token, since)
                    if .milliseconds(now.milliseconds - since.milliseconds) >= FetchClaim.longestWait { return .alone }
                    let watching = changes ?? KeyChanges(of: key, in: engine, pause: pause)
                    changes = watching
                    await watching.wait(atMost: FetchClaim.patience)
                    if Task.isCancelled { throw .cancelled }
                    creation = try await create(claim)
                case .consider(let value):
                    if let found = try await accept(value) { return .found(found) }
                    switch try await replace(value, by: claim) {
                    case .done:
                        claim.previous = value
                        return .fetch(claim)
                    case .conflict(let newer): creation = .exists(newer)
                    case .missing: creation = try await create(claim)
                    }
                }
            }
        } catch {
            guard error == .refused else { throw error }
            note("a lease cannot be stored", error)
            return .alone
        }
    }

    private func create(_ claim: FetchClaim) async throws(SharedStateError) -> SharedCreation {
        try await engine.create(claim.lease.key, claim.value, timeToLive: FetchClaim.timeToLive)
    }

    private func replace(
        _ value: SharedValue,
        by claim: FetchClaim
    ) async throws(SharedStateError) -> SharedExchange {
        let write = SharedWrite(base: value.version, value: claim.value, timeToLive: FetchClaim.timeToLive)
        return try await engine.exchange(claim.lease.key, write)
    }

    /// Runs the work of a claim, and renews its lease meanwhile.
    func holding<Result, Failure>(
        _ claim: FetchClaim,
        _ work: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await withTaskGroup(of: Void.self) { group async -> Swift.Result<Result, Failure> in
            group.addTask { [self] in await renew(claim.lease) }
            defer { group.cancelAll() }
            do throws(Failure) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Renews a lease until it is lost or the task is cancelled.
    private func renew(_ lease: SharedLease) async {
        while true {
            do {
                try await pause(FetchClaim.renewal)
            } catch {
                return
            }
            // After a call that was refused at once there are two seconds for the next one. After a time-out the lease
            // has ended.
            guard (try? await engine.renew(lease, for: FetchClaim.timeToLive)) ?? !Task.isCancelled else { return }
        }
    }

    /// Stores a record in place of the lease, if the replica still has it.
    func land(_ value: SharedValue, _ claim: FetchClaim) async throws(SharedStateError) -> FetchClaim.Landing {
        let write = SharedWrite(base: claim.lease.token, value: value, timeToLive: claim.recordLife)
        return FetchClaim.landing(of: value, try await engine.exchange(claim.lease.key, write))
    }

    /// Ends the lease of a fetch that has failed, so that other replicas need not wait for its end.
    func release(_ claim: FetchClaim) async {
        if let previous = claim.previous {
            let write = SharedWrite(base: claim.lease.token, value: previous, timeToLive: claim.recordLife)
            _ = try? await engine.exchange(claim.lease.key, write)
        } else {
            try? await engine.release(claim.lease)
        }
    }
}

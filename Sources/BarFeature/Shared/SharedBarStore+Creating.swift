package import HTTPExchange
package import Primitives
import SharedState

extension SharedBarStore {
    /// Stores a new bar.
    ///
    /// An idempotency key is stored before its bar, with the id of the bar. A replica that ends between the two steps
    /// leaves a key without a bar; a retry of the request then creates that bar, as it does after the end of the bar.
    package func create(
        _ record: BarRecord,
        as id: BarID,
        key: CreationKey?,
        memory: RequestMemory,
        now: WallTime
    ) -> Promised<CreatedBar> {
        later { store in
            let share = store.shares.share(of: memory.account.client, now)
            let bar = SharedBar(record: record, log: LogExtent(), share: share, nonce: store.makeNonce())
            // It waits for the replies; a refusal changes nothing.
            try memory.reserveWork(bar.cost)
            guard let key else {
                // Only a request with the same key creates a bar of this id.
                guard try await store.insert(bar, as: id) else { throw BarSessionError.contended }
                return CreatedBar(id: id)
            }
            return CreatedBar(id: try await store.create(bar, as: id, key, now))
        }
    }

    private func create(
        _ bar: SharedBar,
        as id: BarID,
        _ key: CreationKey,
        _ now: WallTime
    ) async throws -> BarID {
        let value = key.value(naming: id)
        let life = Duration.seconds(CreationKey.life(ttlSeconds: bar.record.ttlSeconds))
        let (stored, _) = try await repeating { try await store.claim(key.sharedKey, value, timeToLive: life) }
        guard let stored, stored != value else {
            do {
                _ = try await insert(bar, as: id)
            } catch let error where error as? SharedStateError == .full || error as? BarSessionError == .clientShare {
                // A creation that is refused leaves no key; if this fails, a retry makes the bar under this id.
                _ = try? await store.release(key.sharedKey, claim: value)
                throw error
            }
            return id
        }
        let (earlier, fingerprint) = try readable {
            var reader = ByteReader(stored)
            return (BarID(high: try reader.bits(), low: try reader.bits()), try reader.bits())
        }
        guard fingerprint == key.fingerprint else { throw BarSessionError.keyReused }
        do {
            try await touch(try await read(earlier), earlier, until: bar.record, now)
        } catch BarSessionError.notFound {
            // Another request is making the bar, or its replica ended before that, or the bar has ended.
            _ = try await insert(bar, as: earlier)
        }
        return earlier
    }

    /// Counts a bar for its client and stores it; returns false if the store has another bar under the id.
    private func insert(_ bar: SharedBar, as id: BarID) async throws -> Bool {
        let ttlSeconds = bar.record.ttlSeconds
        if let share = bar.share {
            let (isCounted, _) = try await repeating { try await shares.count(share, id, ttlSeconds: ttlSeconds) }
            guard isCounted else { throw BarSessionError.clientShare }
        }
        do {
            let (result, _) = try await repeating {
                try await store.create(id.key, bar.bytes, timeToLive: .seconds(ttlSeconds))
            }
            if case .exists(let bytes) = result, SharedVersion(bytes) != bar.version { return false }
        } catch let error as SharedStateError where error != .unknownOutcome && error != .cancelled {
            // After an unknown outcome the bar possibly exists, and counts.
            await shares.giveBack(bar.share, of: id)
            throw error
        }
        cache(bar, of: id)
        return true
    }

    /// The most attempts to extend a bar: other writes came first at each of them.
    private static let attemptsToExtend = 10

    /// Gives a bar the end of a new one, as a repeated creation does.
    private func touch(_ bar: SharedBar, _ id: BarID, until record: BarRecord, _ now: WallTime) async throws {
        var present = bar
        for _ in 0..<SharedBarStore.attemptsToExtend {
            let share = present.share?.renewed(ttlSeconds: record.ttlSeconds, now)
            let next = SharedBar(
                record: present.record.expiring(at: record.expiresAt),
                log: present.log,
                share: share ?? present.share,
                nonce: makeNonce()
            )
            let commit = Commit(
                base: present.version,
                record: next.bytes,
                timeToLive: .seconds(record.ttlSeconds),
                note: [0]
            )
            let result: CommitResult
            do {
                result = try await store.commit(id.key, commit)
            } catch SharedStateError.full {
                // The client gets the id of its bar, which ends when it would have ended.
                return
            }
            // After a conflict, the newer state is extended. A bar that is missing existed at the time of the request.
            guard case .conflict(let bytes) = result else {
                if result == .done, let share { await shares.extend(share, id, ttlSeconds: record.ttlSeconds) }
                return
            }
            present = try decode(bytes)
        }
    }
}

extension CreationKey {
    /// The key in the store: it has the client's text and the token's fingerprint.
    fileprivate var sharedKey: SharedKey {
        SharedKey("k:\(String(key.principal ?? 0, radix: 16)):\(key.text)")
    }

    /// Returns the value of the key in the store: the id of the bar, and the fingerprint of the content.
    fileprivate func value(naming id: BarID) -> [UInt8] {
        var writer = ByteWriter(capacity: 24)
        writer.put(bits: id.high)
        writer.put(bits: id.low)
        writer.put(bits: fingerprint)
        return writer.bytes
    }
}

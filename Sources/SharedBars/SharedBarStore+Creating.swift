package import BarFeature
package import HTTPExchange
package import Primitives
import SharedState
import StoredBytes

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
            let share = store.shares.share(of: memory.account.client, now: now)
            let bar = SharedBar(record: record, log: LogExtent(), share: share, nonce: store.makeNonce())
            // It waits for the replies; a refusal changes nothing.
            try memory.reserveWork(bar.cost)
            guard let key else {
                // Only a request with the same key creates a bar of this id.
                guard try await store.insert(bar, as: id) === bar else { throw BarSessionError.contended }
                return CreatedBar(id: id)
            }
            return try await store.create(bar, as: id, key)
        }
    }

    private func create(_ bar: SharedBar, as id: BarID, _ key: CreationKey) async throws -> CreatedBar {
        let value = key.value(naming: id)
        let life = Duration.seconds(CreationKey.life(ttlSeconds: bar.record.ttlSeconds))
        let stored = try await claim(key.sharedKey, value, life)
        guard let stored, stored != value else {
            let present: SharedBar
            do {
                present = try await insert(bar, as: id)
            } catch let error where error as? SharedStateError == .full || error as? BarSessionError == .clientShare {
                // A creation that is refused leaves no key; if this fails, a retry makes the bar under this id.
                _ = try? await store.release(key.sharedKey, claim: value)
                throw error
            }
            return CreatedBar(id: id, creation: present.record.creation)
        }
        let (earlier, fingerprint) = try readable {
            try ByteReader.read(stored) { (reader: consuming ByteReader) in
                (BarID(high: try reader.bits(), low: try reader.bits()), try reader.bits())
            }
        }
        guard fingerprint == key.fingerprint else { throw BarSessionError.keyReused }
        do {
            let present = try await read(earlier).record
            return CreatedBar(id: earlier, creation: present.creation, expiresAt: present.expiresAt)
        } catch BarSessionError.notFound {
            // Another request is making the bar, or its replica ended before that, or the bar has ended.
            var record = bar.record
            // 32 random bits: short enough for a tag, and above 0.
            record.creation = max(1, makeNonce() >> 32)
            let next = SharedBar(record: record, log: bar.log, share: bar.share, nonce: bar.version.low)
            return CreatedBar(id: earlier, creation: try await insert(next, as: earlier).record.creation)
        }
    }

    /// Stores the value of a key, unless it has one; returns the value that it had.
    ///
    /// A store without memory refuses the claim of a key that has a value, too, but not the read.
    private func claim(_ key: String, _ value: [UInt8], _ life: Duration) async throws -> [UInt8]? {
        do {
            return try await retries.run { try await store.claim(key, value, timeToLive: life) }.result
        } catch SharedStateError.full {
            guard let stored = try await store.get(key) else { throw SharedStateError.full }
            return stored
        }
    }

    /// Counts a bar for its client and stores it; returns it, or another bar that the store has under the id.
    private func insert(_ bar: SharedBar, as id: BarID) async throws -> SharedBar {
        let ttlSeconds = bar.record.ttlSeconds
        if let share = bar.share {
            let (isCounted, _) = try await retries.run { try await shares.count(share, id, ttlSeconds: ttlSeconds) }
            guard isCounted else { throw BarSessionError.clientShare }
        }
        do {
            let (result, _) = try await retries.run {
                try await store.create(id.key, bar.bytes, timeToLive: .seconds(ttlSeconds))
            }
            if case .conflict(let bytes) = result, RecordVersion(bytes) != bar.version { return try decode(bytes) }
        } catch let error as SharedStateError where error != .unknownOutcome && error != .cancelled {
            // After an unknown outcome the bar possibly exists, and counts.
            await shares.release(bar.share, of: id)
            throw error
        }
        cache(bar, of: id)
        return bar
    }
}

extension CreationKey {
    /// The key in the store: it has the client's text and the token's fingerprint.
    fileprivate var sharedKey: String { "k:\(String(key.principal ?? 0, radix: 16)):\(key.text)" }

    /// Returns the value of the key in the store: the id of the bar, and the fingerprint of the content.
    fileprivate func value(naming id: BarID) -> [UInt8] {
        var writer = ByteWriter(capacity: 24)
        writer.put(bits: id.high)
        writer.put(bits: id.low)
        writer.put(bits: fingerprint)
        return writer.bytes
    }
}

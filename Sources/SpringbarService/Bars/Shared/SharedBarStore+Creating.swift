package import HTTPExchange
package import Primitives
import SharedState

extension SharedBarStore {
    /// Stores a new bar.
    ///
    /// An idempotency key is stored before its bar, with the id of the bar. A replica that ends between the two steps
    /// leaves a key without a bar; a retry of the request then creates that bar.
    package func create(
        _ record: BarRecord,
        as id: BarID,
        key: CreationKey?,
        client: ClientKey?,
        now: WallTime
    ) -> Promised<BarID> {
        .later { [self] in
            guard let key else {
                try await insert(record, as: id, nil, for: client, now)
                return id
            }
            return try await create(record, as: id, key, for: client, now)
        }
    }

    /// The most attempts to store a key: other requests changed it at each of them.
    private static let keyAttempts = 10

    private func create(
        _ record: BarRecord,
        as id: BarID,
        _ key: CreationKey,
        for client: ClientKey?,
        _ now: WallTime
    ) async throws -> BarID {
        let creation = SharedBar.Creation(key: key.sharedKey, fingerprint: key.fingerprint, renewedAt: now)
        let value = CreationKey.value(naming: id, fingerprint: key.fingerprint)
        let life = CreationKey.timeToLive(of: record)
        for _ in 0..<SharedBarStore.keyAttempts {
            let result = try await repeatingCreation { [engine] () async throws(SharedStateError) in
                try await engine.create(creation.key, value, timeToLive: life)
            }
            guard case .exists(let stored) = result, stored != value else {
                try await insert(record, as: id, creation, for: client, now)
                return id
            }
            let (earlier, fingerprint) = try named(by: stored)
            if let bar = try await present(earlier, now) {
                guard fingerprint == key.fingerprint else { throw BarSessionError.keyReused }
                try await touch(bar, earlier, until: record, now)
                return earlier
            }
            if fingerprint == key.fingerprint {
                // Another request with the same content is creating the bar, or its replica ended before that.
                try await insert(record, as: earlier, creation, for: client, isRetry: true, now)
                return earlier
            }
            // The bar has ended, so the key is free for another content.
            let write = SharedWrite(base: stored.version, value: value, timeToLive: life)
            let exchange = try await SharedBarStore.calling { [engine] () async throws(SharedStateError) in
                try await engine.exchange(creation.key, write)
            }
            if exchange == .done {
                try await insert(record, as: id, creation, for: client, now)
                return id
            }
        }
        throw BarSessionError.contended
    }

    /// Stores a bar under an id, unless it is there, and counts it for its client.
    private func insert(
        _ record: BarRecord,
        as id: BarID,
        _ creation: SharedBar.Creation?,
        for client: ClientKey?,
        isRetry: Bool = false,
        _ now: WallTime
    ) async throws {
        guard limits.admitsCreation else { throw BarSessionError.full }
        let share = try await shares.take(client, for: id, record, mayBeCounted: isRetry, now)
        let bar = SharedBar(
            record: record,
            log: LogExtent(),
            creation: creation,
            share: share,
            nonce: makeNonce()
        )
        let result: SharedCreation
        // After an unknown outcome the bar possibly exists, and counts.
        var isRefused = true
        do {
            result = try await repeatingCreation { [engine] () async throws(SharedStateError) in
                do throws(SharedStateError) {
                    return try await engine.create(id.key, bar.value, timeToLive: .seconds(record.ttlSeconds))
                } catch {
                    if error == .unknownOutcome || error == .cancelled { isRefused = false }
                    throw error
                }
            }
        } catch {
            if isRefused { await shares.giveBack(share, of: id, now) }
            throw error
        }
        guard case .exists(let value) = result, value.version != bar.version else {
            limits.countCreation()
            keep(bar, of: id)
            return
        }
        // Only a request with the same key creates a bar of this id.
        guard creation != nil else { throw BarSessionError.contended }
    }

    /// Returns a bar; nil if it is not in the store.
    private func present(_ id: BarID, _ now: WallTime) async throws -> SharedBar? {
        do {
            return try await read(id, now)
        } catch BarSessionError.notFound {
            return nil
        }
    }

    /// Gives a bar the end of a new one, as a repeated creation does; extends its key and its share like another write.
    private func touch(_ bar: SharedBar, _ id: BarID, until record: BarRecord, _ now: WallTime) async throws {
        var present = bar
        for _ in 0..<SharedBarStore.keyAttempts {
            let extended = present.record.expiring(at: record.expiresAt)
            let renewal = renewal(of: present, for: extended, now)
            let next = SharedBar(
                record: extended,
                log: present.log,
                creation: renewal.creation,
                share: renewal.share,
                nonce: makeNonce()
            )
            let write = SharedWrite(
                base: present.version,
                value: next.value,
                timeToLive: .milliseconds(max(1, record.expiresAt.milliseconds - now.milliseconds)),
                note: [0]
            )
            let exchange = try await SharedBarStore.calling { [engine] () async throws(SharedStateError) in
                try await engine.exchange(id.key, write)
            }
            // After a conflict, the newer state is extended. A bar that is missing existed at the time of the request.
            guard case .conflict(let value) = exchange else {
                if exchange == .done { await carryOut(renewal, of: id, for: extended, now) }
                return
            }
            present = try decode(value)
        }
    }

    /// Sends a creation once more if its outcome is unknown; the caller recognises its own value in the result.
    private func repeatingCreation(
        _ call: () async throws(SharedStateError) -> SharedCreation
    ) async throws -> SharedCreation {
        do throws(SharedStateError) {
            return try await call()
        } catch .unknownOutcome {
            try await pause(.milliseconds(50))
        } catch {
            throw error.forBars
        }
        return try await SharedBarStore.calling(call)
    }

    private func named(by value: SharedValue) throws -> (id: BarID, fingerprint: UInt64) {
        let id = BarID(high: value.version.high, low: value.version.low)
        var reader = ByteReader(value.bytes, from: SharedVersion.byteCount)
        guard let fingerprint = try? reader.bits() else { throw BarSessionError.unavailable }
        return (id, fingerprint)
    }
}

extension CreationKey {
    /// The start of the keys in the store.
    static let prefix = "k:"

    /// The key in the store: it has the client's text and the token's fingerprint.
    fileprivate var sharedKey: SharedKey {
        SharedKey(CreationKey.prefix + "\(String(key.principal ?? 0, radix: 16)):\(key.text)")
    }

    /// Returns the value of a key: its version is the id of the bar.
    static func value(naming id: BarID, fingerprint: UInt64) -> SharedValue {
        var writer = ByteWriter(capacity: 8)
        writer.put(bits: fingerprint)
        return SharedValue(id.version, writer.bytes)
    }

    /// Returns the time to live of a key: longer than that of its bar until the next renewal.
    static func timeToLive(of record: BarRecord) -> Duration {
        .seconds(record.ttlSeconds + record.ttlSeconds / 4 + 60)
    }
}

extension BarID {
    /// The version of a key that names the bar.
    var version: SharedVersion { SharedVersion(high: high, low: low) }
}

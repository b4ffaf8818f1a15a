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
        client: ClientKey?,
        now: WallTime
    ) -> Promised<BarID> {
        .later { [self] in
            guard let key else {
                try await insert(record, as: id, for: client, hasKey: false, now)
                return id
            }
            return try await create(record, as: id, key, for: client, now)
        }
    }

    private func create(
        _ record: BarRecord,
        as id: BarID,
        _ key: CreationKey,
        for client: ClientKey?,
        _ now: WallTime
    ) async throws -> BarID {
        let value = CreationKey.value(naming: id, fingerprint: key.fingerprint)
        let life = Duration.seconds(CreationKey.life(ttlSeconds: record.ttlSeconds))
        let result = try await repeatingCreation { [engine] () async throws(SharedStateError) in
            try await engine.create(key.sharedKey, value, timeToLive: life)
        }
        guard case .exists(let stored) = result, stored != value else {
            do {
                try await insert(record, as: id, for: client, hasKey: true, now)
            } catch let error as BarSessionError where error == .full || error == .clientShare {
                // A creation that is refused leaves no key; if this fails, a retry makes the bar under this id.
                _ = try? await engine.delete(key.sharedKey, base: value.version)
                throw error
            }
            return id
        }
        let (earlier, fingerprint) = try named(by: stored)
        guard fingerprint == key.fingerprint else { throw BarSessionError.keyReused }
        if let bar = try await present(earlier, now) {
            try await touch(bar, earlier, until: record, now)
        } else {
            // Another request is making the bar, or its replica ended before that, or the bar has ended.
            try await insert(record, as: earlier, for: client, hasKey: true, isRetry: true, now)
        }
        return earlier
    }

    /// Stores a bar under an id, unless it is there, and counts it for its client.
    private func insert(
        _ record: BarRecord,
        as id: BarID,
        for client: ClientKey?,
        hasKey: Bool,
        isRetry: Bool = false,
        _ now: WallTime
    ) async throws {
        guard limits.admitsCreation else { throw BarSessionError.full }
        let share = try await shares.take(client, for: id, record, mayBeCounted: isRetry, now)
        let bar = SharedBar(
            record: record,
            log: LogExtent(),
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
        guard hasKey else { throw BarSessionError.contended }
    }

    /// Returns a bar; nil if it is not in the store.
    private func present(_ id: BarID, _ now: WallTime) async throws -> SharedBar? {
        do {
            return try await read(id, now)
        } catch BarSessionError.notFound {
            return nil
        }
    }

    /// The most attempts to extend a bar: other writes came first at each of them.
    private static let attemptsToExtend = 10

    /// Gives a bar the end of a new one, as a repeated creation does; extends its share like another write.
    private func touch(_ bar: SharedBar, _ id: BarID, until record: BarRecord, _ now: WallTime) async throws {
        var present = bar
        for _ in 0..<SharedBarStore.attemptsToExtend {
            let extended = present.record.expiring(at: record.expiresAt)
            let (share, isRenewed) = renewedShare(of: present, now)
            let next = SharedBar(record: extended, log: present.log, share: share, nonce: makeNonce())
            let write = SharedWrite(
                base: present.version,
                value: next.value,
                timeToLive: .milliseconds(max(1, record.expiresAt.milliseconds - now.milliseconds)),
                note: [0]
            )
            let exchange: SharedExchange
            do {
                exchange = try await SharedBarStore.calling { [engine] () async throws(SharedStateError) in
                    try await engine.exchange(id.key, write)
                }
            } catch BarSessionError.full {
                // The client gets the id of its bar, which ends when it would have ended.
                return
            }
            // After a conflict, the newer state is extended. A bar that is missing existed at the time of the request.
            guard case .conflict(let value) = exchange else {
                if exchange == .done, isRenewed, let share { await shares.renew(share, for: extended, now) }
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
}

extension BarID {
    /// The version of a key that names the bar.
    var version: SharedVersion { SharedVersion(high: high, low: low) }
}

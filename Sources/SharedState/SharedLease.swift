/// A right that one replica has at a time, such as that to fetch a page.
///
/// A lease is stored as a value whose version is the token of its holder, so engines need no further operations. The
/// holder renews the lease, or loses it at the end of its time to live. An operation that must not run after the loss
/// of a lease uses the token as the base of an exchange.
package struct SharedLease: Sendable, Hashable {
    package let key: SharedKey
    /// The token of the holder: random, so no other holder has it.
    package let token: SharedVersion

    package init(_ key: SharedKey, token: SharedVersion) {
        self.key = key
        self.token = token
    }
}

extension SharedEngine {
    /// Takes a lease; returns false if another replica has it.
    package func take(_ lease: SharedLease, for time: Duration) async throws(SharedStateError) -> Bool {
        switch try await create(lease.key, SharedValue(lease.token), timeToLive: time) {
        case .created: true
        // An earlier call with an unknown outcome had taken the lease.
        case .exists(let value): value.version == lease.token
        }
    }

    /// Renews a lease; returns false if it was lost.
    package func renew(_ lease: SharedLease, for time: Duration) async throws(SharedStateError) -> Bool {
        let write = SharedWrite(base: lease.token, value: SharedValue(lease.token), timeToLive: time)
        return try await exchange(lease.key, write) == .done
    }

    /// Releases a lease, unless it was lost.
    package func release(_ lease: SharedLease) async throws(SharedStateError) {
        _ = try await delete(lease.key, base: lease.token)
    }
}

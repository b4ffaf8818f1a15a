package import HTTPExchange
import Primitives

/// The idempotency key of a creation, with a fingerprint of its content.
///
/// Both stores have one rule. **A key makes one bar, for ``life(ttlSeconds:)`` from the first creation with it.** Until
/// then:
/// - A request with the same content gets this bar. If it has ended, it is made again under the same id.
/// - A request with other content is refused, even after the end of the bar.
///
/// After its life the key is as good as new. A creation that was refused leaves no key. A store in memory that is full also
/// ends keys without a bar that are older than the usual time to live.
package struct CreationKey: Sendable, Hashable {
    package let key: IdempotencyKey
    package let fingerprint: UInt64

    init(_ key: IdempotencyKey, content: [UInt8]) {
        self.key = key
        // A client that constructs two contents with one fingerprint only gets its own first bar for the second one.
        fingerprint = SipHash.hash(content)
    }

    /// Returns the life of a key in seconds: an hour, or the time to live of its bar if that is longer.
    package static func life(ttlSeconds: Int) -> Int { max(3600, ttlSeconds) }
}

/// The keys of a part of a store in memory.
struct CreationKeys: Sendable {
    /// The first creation with a key.
    struct Creation: Sendable {
        let fingerprint: UInt64
        let id: BarID
        /// The time at which its bar was made, the last one.
        var start: WallTime
        let end: WallTime
        /// The key takes a part of the client's share.
        let client: ClientKey?
    }

    private var creations: [IdempotencyKey: Creation] = [:]

    /// Returns the creation with a key; nil if there was none, or the key has ended.
    func creation(with key: IdempotencyKey, now: WallTime) -> Creation? {
        creations[key].flatMap { $0.end.milliseconds > now.milliseconds ? $0 : nil }
    }

    /// Adds a key; throws `full` or `clientShare`.
    mutating func add(_ key: IdempotencyKey, _ creation: Creation, in quota: BarQuota) throws(BarSessionError) {
        remove(key, in: quota)
        try quota.reserve(CreationKeys.bytes(of: key), for: creation.client)
        creations[key] = creation
    }

    /// Notes that the bar of a key is made again.
    mutating func renew(_ key: IdempotencyKey, at now: WallTime) { creations[key]?.start = now }

    /// Removes a key, if it is there.
    mutating func remove(_ key: IdempotencyKey, in quota: BarQuota) {
        guard let creation = creations.removeValue(forKey: key) else { return }
        quota.release(CreationKeys.bytes(of: key), of: creation.client)
    }

    mutating func expire(now: WallTime, in quota: BarQuota) {
        let expired = Array(creations.lazy.filter { $0.value.end.milliseconds <= now.milliseconds }.map(\.key))
        for key in expired { remove(key, in: quota) }
    }

    /// Removes the keys from before a time that have no bar.
    mutating func removeUnused(before limit: WallTime, in quota: BarQuota, hasBar: (BarID) -> Bool) {
        let old = creations.filter { $0.value.start.milliseconds < limit.milliseconds }
        for (key, creation) in old where !hasBar(creation.id) { remove(key, in: quota) }
    }

    /// The bytes of a key: in the table, which is filled to between 3/8 and 3/4, and the text if it is not a short one.
    private static func bytes(of key: IdempotencyKey) -> Int {
        let table = (MemoryLayout<IdempotencyKey>.stride + MemoryLayout<Creation>.stride) * 16 / 9
        // Up to 15 bytes are stored in place; others have a header of 32 bytes (stdlib: `__StringStorage`).
        return table + (key.text.utf8.count <= 15 ? 0 : key.text.utf8.count + 48)
    }
}

package import Primitives
import Synchronization

/// The memory for pictures that are alive outside of the cache: those that are arriving, and those that slow readers
/// hold after the cache has removed or refused them.
///
/// It is a part of the service's memory budget: pictures may take three quarters of it, so that slow readers leave a
/// quarter for everything else.
package final class PictureMemory: Sendable {
    private let budget: MemoryBudget
    /// The most bytes that pictures may reserve.
    package let limit: Int
    private let held = Atomic(0)

    /// The memory for pictures within `budget`.
    package init(_ budget: MemoryBudget) {
        self.budget = budget
        limit = budget.limit / 4 * 3
    }

    /// Memory that refuses nothing, for tests and for parts that are used alone.
    package static var unlimited: PictureMemory { PictureMemory(.unlimited) }

    /// Bytes held now.
    package var bytes: Int { held.load(ordering: .relaxed) }

    /// Reserves bytes if they fit into the share of pictures and into the budget.
    func reserve(_ count: Int) -> Bool {
        let (before, after) = held.add(count, ordering: .relaxed)
        guard before <= limit - count, after >= before, budget.reserve(count) else {
            held.subtract(count, ordering: .relaxed)
            return false
        }
        return true
    }

    /// Counts bytes that exist already.
    func charge(_ count: Int) {
        held.add(count, ordering: .relaxed)
        budget.charge(count)
    }

    /// Releases bytes.
    func release(_ count: Int) {
        held.subtract(count, ordering: .relaxed)
        budget.release(count)
    }
}

/// The charge of a picture: a state machine of two numbers.
///
/// A picture is charged from its allocation to its release, except while it is in a cache, which has its own limit.
struct PictureAccount: Sendable, Equatable {
    /// The bytes that are allocated.
    private(set) var bytes = 0
    /// Entries of caches that hold the picture.
    private(set) var cacheEntries = 0

    /// The bytes that are charged now.
    var charged: Int { cacheEntries == 0 ? bytes : 0 }

    mutating func resize(to bytes: Int) {
        self.bytes = bytes
    }

    mutating func enterCache() {
        cacheEntries += 1
    }

    mutating func leaveCache() {
        precondition(cacheEntries > 0, "only a cached picture can leave the cache")
        cacheEntries -= 1
    }
}

/// Charges the bytes of one picture: before they are allocated, until the object is released.
package final class PictureCharge: Sendable {
    private let memory: PictureMemory
    private let account = Mutex(PictureAccount())

    /// Creates a charge of 0 bytes.
    package init(_ memory: PictureMemory) {
        self.memory = memory
    }

    deinit {
        memory.release(account.withLock(\.charged))
    }

    /// The bytes that are charged now.
    package var bytes: Int { account.withLock(\.charged) }

    /// Changes the reservation to `count` bytes: reserves the missing ones, or releases the others.
    ///
    /// - Precondition: no cache holds the bytes.
    /// - Returns: false if the bytes do not fit; nothing has changed then.
    func resize(to count: Int) -> Bool {
        account.withLock { account in
            precondition(account.cacheEntries == 0, "a cached picture must not change")
            if count > account.bytes, !memory.reserve(count - account.bytes) { return false }
            if count < account.bytes { memory.release(account.bytes - count) }
            account.resize(to: count)
            return true
        }
    }

    /// Records that a cache holds the bytes: its own limit covers them.
    package func enterCache() {
        change { $0.enterCache() }
    }

    /// Records that an entry of a cache was removed.
    package func leaveCache() {
        change { $0.leaveCache() }
    }

    private func change(_ body: (inout PictureAccount) -> Void) {
        account.withLock { account in
            let before = account.charged
            body(&account)
            if account.charged > before { memory.charge(account.charged - before) }
            if account.charged < before { memory.release(before - account.charged) }
        }
    }
}

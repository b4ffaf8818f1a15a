import PhotoFeed
import Primitives

/// The collected content of an answer, charged to the memory budget for as long as the object lives.
///
/// `@unchecked Sendable`: only the thread of the transfers appends, and only before it hands the response over.
final class TransferContent: @unchecked Sendable {
    private(set) var bytes: [UInt8]
    private let memory: MemoryBudget
    /// The bytes that are reserved.
    private var capacity: Int

    private static let leastCapacity = 16_384

    /// Starts with these bytes, which are counted and cannot be refused.
    init(_ bytes: [UInt8] = [], chargedTo memory: MemoryBudget) {
        self.bytes = bytes
        self.memory = memory
        capacity = bytes.count
        memory.charge(capacity)
    }

    deinit {
        memory.release(capacity)
    }

    /// Appends bytes, for which memory is reserved first.
    ///
    /// - Throws: `UpstreamError.overloaded` if they do not fit into the budget.
    func append(_ part: UnsafeRawBufferPointer) throws(UpstreamError) {
        let count = bytes.count + part.count
        if count > capacity {
            // Twice as much each time, as an array grows.
            let larger = max(count, 2 * capacity, Self.leastCapacity)
            guard memory.reserve(larger - capacity) else { throw .overloaded }
            capacity = larger
            bytes.reserveCapacity(larger)
        }
        bytes.append(contentsOf: part)
    }
}

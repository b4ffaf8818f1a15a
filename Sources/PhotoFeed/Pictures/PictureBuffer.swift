import Primitives

/// A picture's bytes while they arrive, in one place from the first to the last.
///
/// With a declared length the place is right from the start and becomes the finished picture as it is; without one it
/// grows, and is copied once at the end. Its memory is charged before it is allocated.
final class PictureBuffer: @unchecked Sendable {
    // Sendable because only `PictureDownload` has it, and touches it behind its lock.
    private var storage: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    private let charge: PictureCharge

    /// A buffer with room for `capacity` bytes.
    ///
    /// - Throws: `UpstreamError.overloaded` if they do not fit into the memory for pictures.
    init(capacity: Int, charge: PictureCharge) throws(UpstreamError) {
        guard charge.resize(to: capacity) else { throw .overloaded }
        self.charge = charge
        storage = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        storage.deallocate()
    }

    /// What has arrived; valid until the next `append`.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    /// Appends bytes; makes more room when they do not fit.
    ///
    /// - Throws: `UpstreamError.overloaded` if there is no memory for that.
    func append(_ new: UnsafeRawBufferPointer) throws(UpstreamError) {
        if count + new.count > storage.count {
            let capacity = max(storage.count * 2, count + new.count)
            guard charge.resize(to: capacity) else { throw .overloaded }
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
            larger.copyMemory(from: bytes)
            storage.deallocate()
            storage = larger
        }
        UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: new)
        count += new.count
    }

    /// Hands the bytes over, and is empty afterwards; they stay where they are when they fill the place.
    func finish() -> PictureBytes {
        guard count == storage.count else {
            let copy = PictureBytes(bytes, charge: charge)
            // Gives back what was too much; a smaller size is never refused.
            _ = charge.resize(to: count)
            return copy
        }
        defer {
            storage = .allocate(byteCount: 0, alignment: 16)
            count = 0
        }
        return PictureBytes(owning: storage, charge: charge)
    }
}

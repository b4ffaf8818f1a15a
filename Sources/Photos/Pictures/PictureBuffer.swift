import Primitives

/// The bytes of a picture while they arrive.
///
/// With a declared length, the buffer becomes the complete picture without a copy; without one it grows, and is copied
/// once at the end. Its memory is reserved before it is allocated.
final class PictureBuffer: @unchecked Sendable {
    // Sendable because only `PictureDownload` uses it, behind its lock.
    private var storage: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    /// The memory of the picture, which the download holds.
    private let reservation: JointReservation

    /// Allocates `capacity` bytes, or throws `overloaded` if they do not fit into the memory budget.
    init(capacity: Int, reservation: JointReservation) throws(UpstreamError) {
        guard reservation.resize(to: capacity) else { throw .overloaded }
        self.reservation = reservation
        storage = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        storage.deallocate()
    }

    /// The bytes so far; valid until the next `append`.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    /// Appends bytes, in a larger allocation if needed, or throws `overloaded` if there is no memory for that.
    func append(_ new: UnsafeRawBufferPointer) throws(UpstreamError) {
        if count + new.count > storage.count {
            let capacity = max(storage.count * 2, count + new.count)
            guard reservation.resize(to: capacity) else { throw .overloaded }
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
            larger.copyMemory(from: bytes)
            storage.deallocate()
            storage = larger
        }
        UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: new)
        count += new.count
    }

    /// Returns the bytes, without a copy if they fill the buffer, and is empty afterwards.
    func finish() -> SharedBytes {
        guard count == storage.count else {
            let copy = SharedBytes(bytes, reservation: reservation)
            // A smaller size is never refused.
            _ = reservation.resize(to: count)
            return copy
        }
        defer {
            storage = .allocate(byteCount: 0, alignment: 16)
            count = 0
        }
        return SharedBytes(owning: storage, reservation: reservation)
    }
}

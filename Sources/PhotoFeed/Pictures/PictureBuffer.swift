/// A picture's bytes while they arrive, in one place from the first to the last.
///
/// With a declared length the place is right from the start and becomes the finished picture as it is; without one it
/// grows, and is copied once at the end.
final class PictureBuffer: @unchecked Sendable {
    // Sendable because only `PictureDownload` has it, and touches it behind its lock.
    private var storage: UnsafeMutableRawBufferPointer
    private(set) var count = 0

    init(capacity: Int) {
        storage = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        storage.deallocate()
    }

    /// What has arrived; valid until the next `append`.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    func append(_ new: UnsafeRawBufferPointer) {
        if count + new.count > storage.count {
            let larger = UnsafeMutableRawBufferPointer.allocate(
                byteCount: max(storage.count * 2, count + new.count),
                alignment: 16
            )
            larger.copyMemory(from: bytes)
            storage.deallocate()
            storage = larger
        }
        UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: new)
        count += new.count
    }

    /// Hands the bytes over, and is empty afterwards; they stay where they are when they fill the place.
    func finish() -> PictureBytes {
        guard count == storage.count else { return PictureBytes(copying: bytes) }
        defer {
            storage = .allocate(byteCount: 0, alignment: 16)
            count = 0
        }
        return PictureBytes(owning: storage)
    }
}

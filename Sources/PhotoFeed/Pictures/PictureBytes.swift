package import Primitives

/// The bytes of a picture and the memory that they are charged with.
package struct PictureBytes: Sendable {
    /// The bytes; they retain the charge.
    package let shared: SharedBytes
    /// The charge of the bytes; nil for bytes that no budget counts.
    package let charge: PictureCharge?

    /// Copies bytes.
    package init(_ bytes: some Collection<UInt8>, charge: PictureCharge? = nil) {
        self.charge = charge
        shared = SharedBytes(bytes, companion: charge)
    }

    /// Takes ownership of allocated memory that is filled and has no other owner.
    init(owning memory: UnsafeMutableRawBufferPointer, charge: PictureCharge) {
        self.charge = charge
        shared = SharedBytes(owning: memory, companion: charge)
    }

    /// The number of bytes.
    package var count: Int { shared.count }

    /// The bytes, valid for as long as `shared` is retained.
    package var buffer: UnsafeRawBufferPointer { shared.buffer }
}

/// The bytes of a picture while they arrive.
///
/// With a declared length, the buffer becomes the complete picture without a copy; without one it grows, and is copied
/// once at the end. Its memory is charged before it is allocated.
final class PictureBuffer: @unchecked Sendable {
    // Sendable because only `PictureDownload` uses it, behind its lock.
    private var storage: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    private let charge: PictureCharge

    /// Allocates `capacity` bytes.
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

    /// The bytes so far; valid until the next `append`.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    /// Appends bytes, in a larger allocation if needed.
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

    /// Returns the bytes, without a copy if they fill the buffer, and is empty afterwards.
    func finish() -> PictureBytes {
        guard count == storage.count else {
            let copy = PictureBytes(bytes, charge: charge)
            // A smaller size is never refused.
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

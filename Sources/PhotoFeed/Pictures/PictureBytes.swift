/// The bytes of a picture, at one address for as long as the object lives: several answers may point at them at once.
package final class PictureBytes: @unchecked Sendable {
    // Sendable because nobody writes after `init`: the pointer is private and handed out for reading only.
    private let storage: UnsafeMutableRawBufferPointer
    /// What the bytes are charged with, for as long as the object lives; nil for bytes that no budget counts.
    package let charge: PictureCharge?

    /// Copies `bytes`.
    package convenience init(_ bytes: some Collection<UInt8>) {
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        storage.copyBytes(from: bytes)
        self.init(owning: storage)
    }

    /// Copies `bytes` as one block.
    convenience init(copying bytes: UnsafeRawBufferPointer, charge: PictureCharge? = nil) {
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        storage.copyMemory(from: bytes)
        self.init(owning: storage, charge: charge)
    }

    /// Takes over allocated memory that is filled and that nobody else knows.
    init(owning storage: UnsafeMutableRawBufferPointer, charge: PictureCharge? = nil) {
        self.storage = storage
        self.charge = charge
    }

    deinit {
        storage.deallocate()
    }

    package var count: Int { storage.count }

    /// Valid for as long as the object lives.
    package var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(storage) }
}

/// The bytes of a picture, at one address for as long as the object lives: several answers may point at them at once.
package final class PictureBytes: @unchecked Sendable {
    // Sendable because nobody writes after `init`: the pointer is private and handed out for reading only.
    private let storage: UnsafeMutableRawBufferPointer

    /// Copies `bytes`.
    package convenience init(_ bytes: some Collection<UInt8>) {
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        storage.copyBytes(from: bytes)
        self.init(owning: storage)
    }

    /// Copies `bytes` as one block.
    convenience init(copying bytes: UnsafeRawBufferPointer) {
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        storage.copyMemory(from: bytes)
        self.init(owning: storage)
    }

    /// Takes over allocated memory that is filled and that nobody else knows.
    init(owning storage: UnsafeMutableRawBufferPointer) {
        self.storage = storage
    }

    deinit {
        storage.deallocate()
    }

    package var count: Int { storage.count }

    /// Valid for as long as the object lives.
    package var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(storage) }
}

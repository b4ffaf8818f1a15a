/// The bytes of a picture, at one address for as long as the object lives: several answers may point at them at once.
package final class PictureBytes: @unchecked Sendable {
    // Sendable because nobody writes after `init`: the pointer is private and handed out for reading only.
    private let storage: UnsafeMutableRawBufferPointer

    /// Makes `count` bytes in place; `fill` writes all of them.
    package init(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        storage = .allocate(byteCount: count, alignment: 16)
        storage.initializeMemory(as: UInt8.self, repeating: 0)
        fill(storage)
    }

    /// Copies `bytes`.
    package convenience init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    deinit {
        storage.deallocate()
    }

    package var count: Int { storage.count }

    /// Valid for as long as the object lives.
    package var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(storage) }
}

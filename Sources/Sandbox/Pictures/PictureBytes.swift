import HTTPExchange

/// A finished picture, at one address for all answers that send it.
///
/// `@unchecked Sendable`: the memory is written before the initialiser returns, never again, and freed when nobody holds
/// the object any more.
final class PictureBytes: SharedBytes, @unchecked Sendable {
    let buffer: UnsafeRawBufferPointer

    /// Copies `bytes` out of the array once.
    init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        copy.copyBytes(from: bytes)
        buffer = UnsafeRawBufferPointer(copy)
    }

    deinit {
        buffer.deallocate()
    }
}

import HTTPExchange

/// Shared bytes that say when they are let go of.
///
/// `@unchecked Sendable`: the memory is written in `init` alone, before anybody else has it.
final class OwnedBytes: SharedBytes, @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    private let onRelease: @Sendable () -> Void

    init(_ bytes: [UInt8], onRelease: @escaping @Sendable () -> Void = {}) {
        memory = .allocate(byteCount: bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
        self.onRelease = onRelease
    }

    deinit {
        memory.deallocate()
        onRelease()
    }

    var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }
}

/// Immutable bytes at one address for as long as the object lives.
///
/// Several responses may send them at the same time: each retains the object, and none copies the bytes.
///
/// `@unchecked Sendable`: the bytes are written before the object is initialised and never again.
package final class SharedBytes: @unchecked Sendable {
    /// The bytes, for a caller that retains the object itself; other callers borrow them with `withBytes`.
    package let buffer: UnsafeRawBufferPointer
    private let isOwner: Bool
    /// An object that is released together with the bytes, such as the charge for their memory.
    private let companion: (any AnyObject & Sendable)?

    /// Copies bytes; releases `companion` together with them.
    package convenience init(_ bytes: some Collection<UInt8>, companion: (any AnyObject & Sendable)? = nil) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        copy.copyBytes(from: bytes)
        self.init(owning: copy, companion: companion)
    }

    /// Takes ownership of allocated memory that is filled and has no other owner.
    package init(owning memory: UnsafeMutableRawBufferPointer, companion: (any AnyObject & Sendable)? = nil) {
        buffer = UnsafeRawBufferPointer(memory)
        isOwner = true
        self.companion = companion
    }

    /// Refers to constant data of the binary, which needs no owner.
    package init(constant bytes: UnsafeRawBufferPointer) {
        buffer = bytes
        isOwner = false
        companion = nil
    }

    deinit {
        if isOwner { buffer.deallocate() }
    }

    /// The number of bytes.
    package var count: Int { buffer.count }

    /// Passes the bytes to `body` and retains the object meanwhile.
    ///
    /// Reading the address is not enough: the optimiser may release the object after that and before the bytes are read.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(buffer) }
    }
}

/// Immutable bytes at one address for as long as the object lives: responses send them without a copy.
///
/// `@unchecked Sendable`: the bytes are written before the object is initialised and never again.
package final class SharedBytes: @unchecked Sendable {
    /// The bytes, for a caller that retains the object itself; other callers borrow them with `withBytes`.
    package let buffer: UnsafeRawBufferPointer
    /// The memory of the bytes, which their readers hold; nil for constant bytes of the binary.
    package let reservation: JointReservation?

    /// Copies bytes.
    package convenience init(_ bytes: some Collection<UInt8>, reservation: JointReservation? = nil) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        copy.copyBytes(from: bytes)
        self.init(owning: copy, reservation: reservation)
    }

    /// Takes ownership of allocated memory that is filled and has no other owner.
    package init(owning memory: UnsafeMutableRawBufferPointer, reservation: JointReservation? = nil) {
        buffer = UnsafeRawBufferPointer(memory)
        self.reservation = reservation ?? JointReservation(bytes: memory.count)
    }

    /// Refers to constant data of the binary, which needs no owner and no reservation.
    package init(constant bytes: UnsafeRawBufferPointer) {
        buffer = bytes
        reservation = nil
    }

    deinit {
        if reservation != nil { buffer.deallocate() }
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

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

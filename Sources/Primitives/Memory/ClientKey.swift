/// The identity of a client: an IPv4 address, or the /64 of an IPv6 address.
///
/// A /64 is the smallest network that is assigned to one IPv6 client (RFC 6177), which may use any of its addresses.
package struct ClientKey: Sendable, Hashable {
    /// The address, or the network, in 64 bits; `init(_: IPAddress)` of `Network` makes them.
    package let bits: UInt64

    package init(bits: UInt64) {
        self.bits = bits
    }
}

/// The identity of a client: an IPv4 address, or the /64 of an IPv6 address.
///
/// A /64 is the smallest network that is assigned to one IPv6 client (RFC 6177), which may use any of its addresses.
package struct ClientKey: Sendable, Hashable {
    private let network: IPAddress

    package init(_ address: IPAddress) {
        network = address.network(prefixLength: address.isV4 ? 32 : 64)
    }

    /// The network in 64 bits, for a compact store; ``init(bits:)`` reads it.
    ///
    /// An IPv4 address takes the place of a network in `0:1::/32`, which is reserved (RFC 4291, section 2.4).
    package var bits: UInt64 {
        guard network.isV4 else { return UInt64(truncatingIfNeeded: network.bits >> 64) }
        return 1 << 32 | UInt64(truncatingIfNeeded: network.bits)
    }

    /// A client from its ``bits``.
    package init(bits: UInt64) {
        network =
            bits >> 32 == 1
            ? IPAddress(v4: UInt32(truncatingIfNeeded: bits)) : IPAddress(v6: UInt128(bits) << 64)
    }

    /// A hash of the network that is the same in every process.
    ///
    /// Its key is fixed, so it hides the address from a glance only: all IPv4 addresses can be tried.
    package var fingerprint: UInt64 { SipHash.hash(network.description) }

    /// Parses the text of an address; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard let address = IPAddress(text) else { return nil }
        self.init(address)
    }
}

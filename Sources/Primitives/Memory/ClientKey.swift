/// The identity of a client: an IPv4 address, or the /64 of an IPv6 address.
///
/// A /64 is the smallest network that is assigned to one IPv6 client (RFC 6177), which may use any of its addresses.
package struct ClientKey: Sendable, Hashable {
    private let network: IPAddress

    package init(_ address: IPAddress) {
        network = address.network(prefixLength: address.isV4 ? 32 : 64)
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

package import Primitives

/// What tells one client from another: an IPv4 address, or the /64 of an IPv6 address.
///
/// A /64 is the smallest network that is given to one IPv6 client (RFC 6177), which chooses among its 2^64 addresses
/// as it likes.
package struct ClientKey: Sendable, Hashable {
    private let network: IPAddress

    package init(_ address: IPAddress) {
        network = address.network(prefixLength: address.isV4 ? 32 : 64)
    }

    /// Reads the text of an address; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard let address = IPAddress(text) else { return nil }
        self.init(address)
    }
}

import Network

/// Decides which addresses a transfer may connect to.
///
/// The name of an allowed host may resolve to an address inside the service's own network, and to another one the
/// second time. So the address itself is checked, when the socket is created.
struct AddressPolicy: Sendable {
    /// Allows 127.0.0.0/8 and ::1, for a library that is configured to be there.
    var allowsLoopback: Bool

    /// Returns whether a transfer may connect to the address in a `sockaddr`.
    func permits(_ socketAddress: UnsafeRawBufferPointer) -> Bool {
        IPAddress(socketAddress: socketAddress).map(permits) ?? false
    }

    func permits(_ address: IPAddress) -> Bool { address.isLoopback ? allowsLoopback : address.isGlobal }
}

extension IPAddress {
    /// Whether the address, or the IPv4 address in it, is global by IANA's special-purpose registries.
    fileprivate var isGlobal: Bool {
        if let embedded = embeddedV4 { return embedded.isGlobal && !embedded.isLoopback }
        if !isV4, !SpecialNetworks.globalUnicast.contains(self) { return false }
        return !SpecialNetworks.local.contains { $0.contains(self) }
    }

    /// The IPv4 address that a translation or tunnel address contains; nil for others.
    private var embeddedV4: IPAddress? {
        if SpecialNetworks.nat64.contains(self) { return IPAddress(v4: UInt32(truncatingIfNeeded: bits)) }
        if SpecialNetworks.sixToFour.contains(self) { return IPAddress(v4: UInt32(truncatingIfNeeded: bits >> 80)) }
        // ISATAP (RFC 5214, section 6.1): an interface identifier of 0:5efe or 200:5efe and an IPv4 address.
        let identifier = UInt32(truncatingIfNeeded: bits >> 32) & 0xFDFF_FFFF
        if SpecialNetworks.globalUnicast.contains(self), identifier == 0x5EFE,
            !SpecialNetworks.local.contains(where: { $0.contains(self) })
        {
            return IPAddress(v4: UInt32(truncatingIfNeeded: bits))
        }
        return nil
    }
}

private enum SpecialNetworks {
    /// The part of IPv6 that is assigned to the internet; all special addresses of other kinds are outside of it.
    static let globalUnicast = network("2000::/3")
    /// NAT64 with the well-known prefix (RFC 6052, section 2.1).
    static let nat64 = network("64:ff9b::/96")
    /// 6to4 (RFC 3056): the IPv4 address follows the prefix.
    static let sixToFour = network("2002::/16")

    static let local = [
        // This network, private, shared (carrier-grade NAT), loopback, link-local.
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16",
        // Protocol assignments, documentation, 6to4 relays, benchmarks, multicast and reserved.
        "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/3",
        // Teredo and the other protocol assignments, documentation.
        "2001::/23", "2001:db8::/32", "3fff::/20",
    ].map(network)

    /// Parses a literal of this file; AddressPolicyTests has an address of each.
    private static func network(_ text: String) -> CIDR {
        guard let network = CIDR(text) else { preconditionFailure("\(text) is not a network") }
        return network
    }
}

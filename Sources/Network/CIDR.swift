/// A network: all addresses that begin with the same bits (RFC 4632, section 3.1), such as `10.0.0.0/8`.
package struct CIDR: Sendable, Hashable, CustomStringConvertible {
    private let network: IPAddress
    private let prefixLength: Int

    /// Parses `address/length`, or an address alone for a network of one; nil for anything else.
    ///
    /// Bits after the prefix are ignored: `10.1.2.3/8` is `10.0.0.0/8`. The length of an IPv4 network written in IPv6
    /// (`::ffff:10.0.0.0/104`) counts from the left of the IPv6 address.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress($0) }) else { return nil }
        var length = address.width
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let bits = Int(parts[1])
            else { return nil }
            length = address.isV4 && parts[0].contains(":") ? bits - 96 : bits
        }
        guard 0...address.width ~= length else { return nil }
        network = address.network(prefixLength: length)
        prefixLength = length
    }

    /// Returns whether the network contains an address; false for an address of the other family.
    package func contains(_ address: IPAddress) -> Bool {
        address.isV4 == network.isV4 && address.network(prefixLength: prefixLength) == network
    }

    package var description: String { "\(network)/\(prefixLength)" }
}

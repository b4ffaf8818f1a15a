import Primitives

/// Determines the client behind trusted proxies.
///
/// Each proxy appends its peer to `X-Forwarded-For`. Only addresses appended by a trusted proxy are reliable. So the list
/// is read from the right while the address is that of a trusted proxy; the first other address is the client. Elements
/// further left may be forged by the client. An element that is not an address ends the search, and the last reliable
/// address is used.
package struct TrustedProxies: Sendable {
    private let networks: [CIDR]

    package init(_ networks: [CIDR] = []) {
        self.networks = networks
    }

    /// Returns the client of a request that `peer` has sent with these values of `X-Forwarded-For`.
    ///
    /// It is `peer` itself unless that is a trusted proxy.
    package func client(behind peer: IPAddress, forwarded values: [String]) -> IPAddress {
        var speaker = peer
        guard isTrusted(speaker) else { return speaker }
        for value in values.reversed() {
            // By bytes: a comma and what follows it may be one character.
            for element in value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).reversed() {
                guard let named = IPAddress(forwarded: Substring(element.trimmingBlanks())) else { return speaker }
                speaker = named
                if !isTrusted(speaker) { return speaker }
            }
        }
        return speaker
    }

    /// Returns whether an address belongs to a trusted proxy.
    package func isTrusted(_ address: IPAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }
}

extension IPAddress {
    /// Parses an address as proxies write it: alone, `192.0.2.1:4711`, `[2001:db8::1]` or `[2001:db8::1]:4711`.
    fileprivate init?(forwarded text: Substring) {
        // An IPv6 address alone has colons, which `hostAndPort` would separate.
        let parts = IPAddress(text) == nil ? text.hostAndPort : (text, nil)
        guard let (host, port) = parts, port?.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) != false else { return nil }
        self.init(host)
    }
}

package import Primitives

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

    /// Returns the client of a request that `peer` has sent with these fields: `peer` itself unless it is a trusted proxy.
    package func client(behind peer: IPAddress, _ fields: Fields) -> IPAddress {
        var speaker = peer
        guard isTrusted(speaker) else { return speaker }
        for value in fields.values(of: .xForwardedFor).reversed() {
            for element in value.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                guard let named = IPAddress(forwarded: element.trimmingBlanks()) else { return speaker }
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
        if text.first == "[", let end = text.firstIndex(of: "]") {
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            self.init(text[text.index(after: text.startIndex)..<end])
        } else if text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1, let colon = text.firstIndex(of: ":") {
            self.init(text[..<colon])
        } else {
            self.init(text)
        }
    }
}

package import Primitives

/// Finds the client behind the proxies that are trusted.
///
/// `X-Forwarded-For` is a list that each proxy appends its peer to. Only what a trusted proxy appended is worth
/// anything, so it is read from the right for as long as the address that spoke is a trusted one: the first that is not
/// is the client. What stands further left, the client may have made up. An element that is no address ends the walk:
/// whoever is trusted did not write it, or wrote nonsense, and the last address known to be true stands.
package struct TrustedProxies: Middleware {
    private let networks: [CIDR]

    package init(_ networks: [CIDR]) {
        self.networks = networks
    }

    package func incoming(_ request: Request, _ context: inout Context) -> Response? {
        guard let peer = request.peer, let address = IPAddress(peer) else { return nil }
        context.client = client(behind: address, request).description
        return nil
    }

    private func client(behind peer: IPAddress, _ request: Request) -> IPAddress {
        var speaker = peer
        guard isTrusted(speaker) else { return speaker }
        for value in request.fields.values(of: .xForwardedFor).reversed() {
            for element in value.split(separator: ",", omittingEmptySubsequences: false).reversed() {
                guard let named = IPAddress(forwarded: element.trimmingBlanks()) else { return speaker }
                speaker = named
                if !isTrusted(speaker) { return speaker }
            }
        }
        return speaker
    }

    private func isTrusted(_ address: IPAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }
}

extension IPAddress {
    /// An address as proxies write it: alone, `192.0.2.1:4711`, `[2001:db8::1]` or `[2001:db8::1]:4711`.
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

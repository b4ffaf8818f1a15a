import HTTPTypes
import Network

/// Refuses requests for foreign hosts (421), such as on a server that only clients on its own machine reach.
///
/// A page of another site can let its name lead to 127.0.0.1, and would then read the answers as its own (DNS rebinding).
/// Allowed are IP addresses, `localhost` and the names below it, names without a dot, which no other site has, and those of a
/// list. Development servers have the same rule.
package struct AllowedHosts: Middleware {
    private let hosts: Set<String>
    private let hint: String

    /// Allows `hosts`, in lower case, besides the local ones; `hint` is a sentence that tells how to add one.
    package init(_ hosts: some Sequence<String>, hint: String) {
        self.hosts = Set(hosts)
        self.hint = hint
    }

    package func incoming(_ request: Request, _ context: inout Context) throws -> Response? {
        // Only HTTP/1.0 has no Host, and no browser sends that.
        guard let field = request.fields[.host], !Self.isUsual(field), let (host, _) = field[...].hostAndPort,
            !isAllowed(host)
        else { return nil }
        throw Problem(.misdirectedRequest, "`\(host.excerpt)` is not a host of this service. \(hint)")
    }

    private static let loopback = Array("127.0.0.1:".utf8)

    /// Returns whether a field has a name without a dot, an IPv6 address or 127.0.0.1, as nearly all have on such an address.
    private static func isUsual(_ field: String) -> Bool {
        let bytes = field.utf8.span
        for index in bytes.indices {
            if bytes[index] == UInt8(ascii: ":") { return true }
            if bytes[index] == UInt8(ascii: ".") { return field == "127.0.0.1" || field.utf8.starts(with: loopback) }
        }
        return true
    }

    private func isAllowed(_ host: Substring) -> Bool {
        var name = host.lowercased()
        // The root label of a full name.
        if name.last == "." { name.removeLast() }
        if !name.contains(".") { return true }
        return name.hasSuffix(".localhost") || IPAddress(name) != nil || hosts.contains(name)
    }
}

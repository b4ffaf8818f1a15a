import Network
import Primitives

/// The base URL of an HTTP service: `http://` or `https://`, a host, an optional port and path, without query or user.
package struct HTTPOrigin: Sendable, Equatable, CustomStringConvertible {
    package let scheme: String
    /// Host and port as browsers write them: in lower case, without the usual port; an IPv6 address is in brackets.
    package let authority: String
    /// Empty, or a path that begins with `/` and does not end with one.
    package let path: String

    /// What a text must be, for messages.
    package static let rule = "an http:// or https:// URL without query or user"

    /// Returns nil if `text` is not a base URL.
    package init?(_ text: String) {
        let lowered = text.lowercased()
        guard let scheme = ["http", "https"].first(where: { lowered.hasPrefix($0 + "://") }) else { return nil }
        let afterScheme = text.dropFirst(scheme.count + 3)
        guard afterScheme.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !afterScheme.contains(where: { "?#@\\\"<>^`{|}".contains($0) })
        else { return nil }
        var authority = afterScheme.prefix { $0 != "/" }.lowercased()
        var path = afterScheme.dropFirst(authority.count)
        while path.last == "/" { path = path.dropLast() }
        guard let (host, port) = authority[...].hostAndPort, !host.isEmpty,
            host.allSatisfy({ $0.isLetter || $0.isNumber || "-._:".contains($0) }),
            port.map({ 1...65_535 ~= NumberGrammar.integer(String($0)) ?? 0 }) ?? true
        else { return nil }
        if let port, let number = NumberGrammar.integer(String(port)) {
            authority.removeLast(port.count + 1)
            if number != (scheme == "http" ? 80 : 443) { authority += ":\(number)" }
        }
        (self.scheme, self.authority, self.path) = (scheme, authority, String(path))
    }

    package var description: String { "\(scheme)://\(authority)\(path)" }
}

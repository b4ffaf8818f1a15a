package import HTTPTypes
import Primitives
import Synchronization

/// A complete request.
package struct Request: Sendable {
    package var method: HTTPRequest.Method
    package var target: Target
    package var fields: Fields
    /// The content without its transfer coding (RFC 9110, section 6.4); empty without any.
    package var content: [UInt8]
    /// The address of the client without its port, such as `127.0.0.1` or `::1`; nil in process.
    ///
    /// It is that of the peer, or the one that a trusted proxy forwards.
    package let client: String?
    /// Whether the client reached the service with https, which a trusted proxy forwards.
    package var isSecure = false
}

extension Request {
    /// In an extension, because the compiler copies the value if each member is assigned.
    package init(
        method: HTTPRequest.Method,
        target: Target,
        fields: Fields = Fields(),
        content: [UInt8] = [],
        from client: String? = nil
    ) {
        self.init(method: method, target: target, fields: fields, content: content, client: client)
    }
}

/// The target of a request as received (RFC 9112, section 3.2).
///
/// Decoding it before routing would let `%2F` split a segment and `%00` end a C string. So the raw text is kept, and each
/// segment is decoded alone when it is captured.
///
/// A class, so that a request has one reference to count. Its text never changes.
package final class Target: Sendable, CustomStringConvertible {
    /// The text of the request line.
    package let raw: String

    // Positions instead of substrings, which would be two more references to count with every copy of a request.
    private let pathStart: String.Index
    private let pathEnd: String.Index
    /// The last result of a router.
    let lastMatch = Lock<RouteMatch?>(nil)

    /// Splits an origin-form (`/a?b`), absolute-form (`http://host/a?b`) or asterisk-form (`*`) target.
    package init(_ raw: String) {
        self.raw = raw
        var pathAndQuery = raw.utf8[...]
        if pathAndQuery.first != UInt8(ascii: "/"), let authority = Target.afterScheme(of: raw) {
            pathAndQuery = authority.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        }
        pathStart = pathAndQuery.startIndex
        pathEnd = pathAndQuery.firstIndex(of: UInt8(ascii: "?")) ?? pathAndQuery.endIndex
    }

    /// The path, from the first `/` to the `?`, still encoded; `*` for `OPTIONS *`.
    package var path: Substring {
        pathStart == pathEnd ? "/" : raw[pathStart..<pathEnd]
    }

    /// The query after the `?`, still encoded; nil without one.
    package var query: Substring? {
        pathEnd == raw.endIndex ? nil : raw[raw.utf8.index(after: pathEnd)...]
    }

    /// The host and port of an absolute target (`http://host/path`); nil for other forms.
    package var authority: Substring? {
        guard raw.utf8.first != UInt8(ascii: "/"), let authorityAndPath = Target.afterScheme(of: raw) else {
            return nil
        }
        return Substring(authorityAndPath[..<pathStart])
    }

    package var description: String { raw }

    /// Returns the text after `http://` or `https://`, in any case; nil for another form.
    private static func afterScheme(of raw: String) -> Substring.UTF8View? {
        for scheme in ["http://", "https://"] where raw.utf8.count >= scheme.utf8.count {
            let start = raw.utf8.index(raw.startIndex, offsetBy: scheme.utf8.count)
            if raw[..<start].lowercased() == scheme { return raw.utf8[start...] }
        }
        return nil
    }
}

extension Request {
    /// The base of absolute links: the public URL of the service, else the scheme and the Host of the request.
    package func base(publicURL: String?) -> String {
        if let publicURL { return publicURL }
        let host = fields[.host] ?? "localhost"
        // Only the host of an IPv6 address has brackets (RFC 3986, section 3.2.2), and the server has checked them.
        let isLiteral = host.utf8.first == UInt8(ascii: "[")
        return (isSecure ? "https://" : "http://") + (isLiteral ? host : PercentEncoding.encodeIllegal(in: host))
    }
}

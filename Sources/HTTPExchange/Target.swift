/// The target of a request as it stood on the wire, never decoded as a whole (RFC 9112, section 3.2).
///
/// Decoding before routing lets `%2F` split a segment and `%00` cut a C string, so the raw text is kept and each
/// segment is decoded alone, when it is captured.
package struct Target: Sendable, Equatable, CustomStringConvertible {
    /// The text of the request line.
    package let raw: String
    /// What is routed: from the first `/` to the `?`, still encoded; `*` for `OPTIONS *`.
    package let path: Substring
    /// What follows the `?`, still encoded; nil without one.
    package let query: Substring?

    /// Splits an origin-form (`/a?b`), absolute-form (`http://host/a?b`) or asterisk-form (`*`) target.
    package init(_ raw: String) {
        self.raw = raw
        var rest = raw[...]
        if !raw.utf8.starts(with: "/".utf8), let authority = Target.afterScheme(of: raw) {
            rest = authority.firstIndex { $0 == "/" || $0 == "?" }.map { authority[$0...] } ?? ""
        }
        if let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[rest.utf8.index(after: mark)...]
            rest = rest[..<mark]
        } else {
            query = nil
        }
        path = rest.isEmpty ? "/" : rest
    }

    package var description: String { raw }

    /// What follows `http://` or `https://`, in any case; nil for another form.
    private static func afterScheme(of raw: String) -> Substring? {
        for scheme in ["http://", "https://"] where raw.utf8.count >= scheme.utf8.count {
            let start = raw.utf8.index(raw.startIndex, offsetBy: scheme.utf8.count)
            if raw[..<start].lowercased() == scheme { return raw[start...] }
        }
        return nil
    }
}

/// The target of a request as it stood on the wire, never decoded as a whole (RFC 9112, section 3.2).
///
/// Decoding before routing lets `%2F` split a segment and `%00` cut a C string, so the raw text is kept and each
/// segment is decoded alone, when it is captured.
///
/// A class, so that every request takes one reference along. What it says never changes; beside it stands what a router
/// found for it.
package final class Target: Sendable, CustomStringConvertible {
    /// The text of the request line.
    package let raw: String

    // Positions and not two more texts, which would be two more references to count with every copy of a request.
    private let pathStart: String.Index
    private let pathEnd: String.Index
    /// What a router has found for it.
    let memo = RouteMemo()

    /// Splits an origin-form (`/a?b`), absolute-form (`http://host/a?b`) or asterisk-form (`*`) target.
    package init(_ raw: String) {
        self.raw = raw
        var rest = raw.utf8[...]
        if rest.first != UInt8(ascii: "/"), let authority = Target.afterScheme(of: raw) {
            rest = authority.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        }
        pathStart = rest.startIndex
        pathEnd = Target.end(ofPathIn: rest)
    }

    /// What is routed: from the first `/` to the `?`, still encoded; `*` for `OPTIONS *`.
    package var path: Substring {
        pathStart == pathEnd ? "/" : raw[pathStart..<pathEnd]
    }

    /// What follows the `?`, still encoded; nil without one.
    package var query: Substring? {
        pathEnd == raw.endIndex ? nil : raw[raw.utf8.index(after: pathEnd)...]
    }

    package var description: String { raw }

    /// Where the path ends: at the first `?`, or with the text.
    ///
    /// Every request pays for this search, so it is one over plain bytes.
    private static func end(ofPathIn text: Substring.UTF8View) -> String.Index {
        let mark = text.span.withUnsafeBufferPointer { ByteSearch.index(of: UInt8(ascii: "?"), in: $0, from: 0) }
        return mark.map { text.index(text.startIndex, offsetBy: $0) } ?? text.endIndex
    }

    /// What follows `http://` or `https://`, in any case; nil for another form.
    private static func afterScheme(of raw: String) -> Substring.UTF8View? {
        for scheme in ["http://", "https://"] where raw.utf8.count >= scheme.utf8.count {
            let start = raw.utf8.index(raw.startIndex, offsetBy: scheme.utf8.count)
            if raw[..<start].lowercased() == scheme { return raw.utf8[start...] }
        }
        return nil
    }
}

extension Target: Equatable {
    package static func == (left: Target, right: Target) -> Bool { left.raw == right.raw }
}

import Primitives

/// Names one state of a resource (RFC 9110, section 8.8.3).
package struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// What stands between the quotes.
    package let opaque: String
    /// Whether it promises the same meaning only, and not the same bytes.
    package let isWeak: Bool

    /// A strong tag of our own making.
    ///
    /// - Precondition: visible ASCII characters without a quote.
    package init(strong opaque: String) {
        precondition(opaque.utf8.allSatisfy(EntityTag.isTagByte), "\(opaque) cannot stand in an entity tag")
        self.init(opaque: opaque, isWeak: false)
    }

    /// A strong tag made from the hash of the bytes.
    package init(hashing bytes: [UInt8]) {
        self.init(opaque: String(SipHash.hash(bytes), radix: 36), isWeak: false)
    }

    /// Reads `"x"` or `W/"x"`; nil for anything else, quotes missing included.
    package init?(_ text: some StringProtocol) {
        guard let list = EntityTag.list(String(text)), list.count == 1 else { return nil }
        self = list[0]
    }

    /// The tag as it stands in a field.
    package var description: String {
        isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\""
    }

    /// Strong comparison (section 8.8.3.2): the same bytes.
    package func isSame(as other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Weak comparison (section 8.8.3.2): as good as the same.
    package func isEquivalent(to other: EntityTag) -> Bool {
        opaque == other.opaque
    }

    /// Reads tags with commas between them, empty elements allowed; nil when anything else stands there.
    ///
    /// Not a list of quoted strings: in a tag a backslash is a backslash.
    static func list(_ text: String) -> [EntityTag]? {
        var tags: [EntityTag] = []
        var rest = text.utf8[...]
        while true {
            rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if rest.isEmpty { return tags }
            if rest.first != UInt8(ascii: ",") {
                let isWeak = rest.starts(with: "W/".utf8)
                if isWeak { rest = rest.dropFirst(2) }
                guard rest.popFirst() == UInt8(ascii: "\""), let end = rest.firstIndex(of: UInt8(ascii: "\"")),
                    rest[..<end].allSatisfy(isTagByte)
                else { return nil }
                tags.append(EntityTag(opaque: String(Substring(rest[..<end])), isWeak: isWeak))
                rest = rest[end...].dropFirst().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            }
            guard rest.isEmpty || rest.popFirst() == UInt8(ascii: ",") else { return nil }
        }
    }

    private init(opaque: String, isWeak: Bool) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// `etagc` of section 8.8.3.
    private static func isTagByte(_ byte: UInt8) -> Bool {
        byte == 0x21 || 0x23...0x7E ~= byte || byte >= 0x80
    }
}

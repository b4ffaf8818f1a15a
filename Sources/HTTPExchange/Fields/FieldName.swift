import HTTPTypes

/// The name of a field, the same in any case (RFC 9110, section 5.1).
///
/// A request brings some, an answer takes some along, and each is looked for a dozen times in between. So a name that
/// clients send or that we write is a plain case: nothing to count references of, and one comparison. Any other is an
/// `HTTPField.Name` of swift-http-types, which holds its text twice, as it is written and in lower case.
@usableFromInline
package enum FieldName: Sendable {
    /// One of the table; written `.contentType` for short.
    case known(Known)
    /// None of the table, so that each name has one form.
    case other(Other)

    /// A name that is in no table; made by `FieldName.init` alone.
    @usableFromInline
    package final class Other: Sendable {
        fileprivate let name: HTTPField.Name

        fileprivate init(_ name: HTTPField.Name) {
            self.name = name
        }
    }

    /// The name that the text spells, in any case; nil when it is not a token (RFC 9110, section 5.6.2).
    package init?(_ text: String) {
        var text = text
        guard let name = text.withUTF8(FieldName.init(bytes:)) else { return nil }
        self = name
    }

    /// The name that the bytes spell, in any case; nil when they are not a token.
    package init?(bytes: UnsafeBufferPointer<UInt8>) {
        if let known = Known(bytes: bytes) {
            self = .known(known)
        } else if let name = HTTPField.Name(String(decoding: bytes, as: UTF8.self)) {
            self = .other(Other(name))
        } else {
            return nil
        }
    }

    /// A known name as it is usually written, such as `Content-Type`; another as it was given.
    package var text: String {
        switch self {
        case .known(let known): known.spelling.description
        case .other(let other): other.name.rawName
        }
    }

    /// The text in lower case.
    package var canonicalText: String {
        switch self {
        case .known(let known): known.spelling.description.lowercased()
        case .other(let other): other.name.canonicalName
        }
    }

    /// Gives the text to C.
    package func withCString(_ body: (UnsafePointer<CChar>) -> Void) {
        switch self {
        case .known(let known):
            // A static string's bytes end with a zero, and a byte may be read as any `char`.
            body(UnsafeRawPointer(known.spelling.utf8Start).assumingMemoryBound(to: CChar.self))
        case .other(let other):
            other.name.rawName.withCString(body)
        }
    }
}

extension FieldName: Hashable {
    @inlinable
    package static func == (left: FieldName, right: FieldName) -> Bool {
        switch (left, right) {
        case (.known(let left), .known(let right)): left == right
        case (.other(let left), .other(let right)): isSame(left, right)
        default: false
        }
    }

    @usableFromInline
    static func isSame(_ left: Other, _ right: Other) -> Bool {
        left.name == right.name
    }

    @usableFromInline
    package func hash(into hasher: inout Hasher) {
        hasher.combine(canonicalText)
    }
}

extension FieldName: CustomStringConvertible {
    @usableFromInline package var description: String { text }
}

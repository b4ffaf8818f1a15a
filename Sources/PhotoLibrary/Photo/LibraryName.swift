/// The name of a photo, topic or collection: a well-formed id or slug.
///
/// A name is 1 to 256 characters of `A-Z a-z 0-9 - _` and, for slugs, the letters and digits of other scripts with the
/// marks that belong to them. A path separator, a dot, a percent sign or a space is in none, so a name is one segment
/// of a path, even after repeated decoding. A malformed name is reported as not found, without a call.
package struct LibraryName: Sendable, Hashable {
    /// The name as the client wrote it, decoded.
    package let text: String

    /// The most characters (Unicode scalars) of a name.
    package static let longest = 256

    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 4 * LibraryName.longest,
            text.unicodeScalars.count <= LibraryName.longest, text.unicodeScalars.allSatisfy(LibraryName.isAllowed)
        else { return nil }
        self.text = text
    }

    /// Reads a username, which may have dots, but not as its first character.
    package init?(username text: String) {
        guard text.first != ".", LibraryName(text.replacing(".", with: "_")) != nil else { return nil }
        self.text = text
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": return true
        case _ where scalar.isASCII: return false
        default: break
        }
        return switch scalar.properties.generalCategory {
        // Words of Hindi or Thai need marks.
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}

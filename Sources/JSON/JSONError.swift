/// The error of a refused document or value.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The position of the fault as a JSON Pointer (RFC 6901); empty for the whole document.
    ///
    /// A missing member has the pointer that it would have if it were present.
    package let pointer: String
    /// The rule and the fault, such as "must be a number, was a string": a phrase that follows the pointer.
    package let detail: String
    /// Whether the document is malformed (400); false for a well-formed value that is not allowed (422).
    ///
    /// Malformed means bad syntax, invalid UTF-8, a repeated member, a number beyond a double, or too deep nesting.
    package let isMalformed: Bool

    package init(pointer: String, detail: String, isMalformed: Bool) {
        self.pointer = pointer
        self.detail = detail
        self.isMalformed = isMalformed
    }

    package var description: String { "\(pointer.isEmpty ? "document" : pointer): \(detail)" }
}

extension String {
    /// The name as one part of a JSON Pointer, with its slash: `~` becomes `~0`, `/` becomes `~1` (RFC 6901, section 3).
    var pointerPart: String {
        unicodeScalars.reduce(into: "/") { part, scalar in
            switch scalar {
            case "~": part += "~0"
            case "/": part += "~1"
            default: part.unicodeScalars.append(scalar)
            }
        }
    }
}

/// The error of a refused document or value.
///
/// A reader may ignore many errors, so the pointer is found when it is read. Until then the error keeps the document.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    private enum Location: Sendable {
        case pointer(String)
        /// A value, or a member that it lacks.
        case value(JSONValue, missing: StaticString?)
    }

    private let location: Location
    /// The rule and the fault, such as "must be a number, was a string": a phrase that follows the pointer.
    package let detail: String
    /// Whether the document is malformed (400); false for a well-formed value that is not allowed (422).
    ///
    /// Malformed means bad syntax, invalid UTF-8, a repeated member, a number beyond a double, or too deep nesting.
    package let isMalformed: Bool

    package init(pointer: String, detail: String, isMalformed: Bool) {
        location = .pointer(pointer)
        self.detail = detail
        self.isMalformed = isMalformed
    }

    /// The error of a value, or of a member that it lacks.
    init(_ value: JSONValue, missing: StaticString? = nil, detail: String, isMalformed: Bool = false) {
        location = .value(value, missing: missing)
        self.detail = detail
        self.isMalformed = isMalformed
    }

    /// The position of the fault as a JSON Pointer (RFC 6901); empty for the whole document.
    ///
    /// A missing member has the pointer that it would have if it were present. The pointer of a value is found by a walk
    /// from the root.
    package var pointer: String {
        switch location {
        case .pointer(let pointer): pointer
        case .value(let value, let missing): value.pointer + (missing?.description.pointerPart ?? "")
        }
    }

    package static func == (first: JSONError, second: JSONError) -> Bool {
        first.detail == second.detail && first.isMalformed == second.isMalformed && first.pointer == second.pointer
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

/// Why a document, or a value in it, was refused.
package struct JSONError: Error, Equatable, Sendable {
    /// Where, as a JSON Pointer (RFC 6901); empty for the document as a whole.
    ///
    /// A missing member has the pointer it would have if it were there.
    package let pointer: String
    /// What was found and what would have been right, such as "must be a number, was a string": a phrase that follows
    /// the name of the place.
    package let detail: String
    /// True when the text is no JSON that this service reads, false when a well-formed value is not the expected one.
    ///
    /// Malformed are bad syntax, invalid UTF-8, a duplicate member, a number beyond a double, nesting too deep. The
    /// answers are 400 and 422.
    package let isMalformed: Bool

    package init(pointer: String, detail: String, isMalformed: Bool) {
        self.pointer = pointer
        self.detail = detail
        self.isMalformed = isMalformed
    }
}

extension JSONError: CustomStringConvertible {
    /// The pointer, or "document", and the detail.
    package var description: String {
        "\(pointer.isEmpty ? "document" : pointer): \(detail)"
    }
}

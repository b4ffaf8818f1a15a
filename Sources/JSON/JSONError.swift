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

extension Document {
    /// The pointer to the element at `target`; for a member's name, the pointer to the member.
    ///
    /// Values have no path. When an error needs it, a walk from the root enters, at each level, the container that
    /// includes the target.
    func pointer(to target: Int) -> String {
        withTape { tape in
            var pointer = ""
            var position = Tape.root
            while position != target, let step = tape.step(from: position, towards: target) {
                pointer += step.name.pointerPart
                if step.member == target { break }
                position = step.value
            }
            return pointer
        }
    }
}

extension Tape {
    /// The child of the container at `index` that holds `target`, which may be the name of a member.
    fileprivate func step(from index: Int, towards target: Int) -> (name: String, member: Int, value: Int)? {
        if letter(index) == Letter.object {
            for member in members(of: index) where target < after(member + 1) {
                return (String(decoding: text(member), as: UTF8.self), member, member + 1)
            }
        } else {
            for (number, element) in elements(of: index).enumerated() where target < after(element) {
                return (String(number), element, element)
            }
        }
        return nil
    }
}

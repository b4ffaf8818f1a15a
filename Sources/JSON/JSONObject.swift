/// An object of a parsed document: its members, by name or in the order written.
///
/// No name is repeated. A look-up compares the bytes of each name: the objects of this service have few members.
package struct JSONObject: Sendable {
    private let value: JSONValue

    init(_ value: consuming JSONValue) {
        self.value = value
    }

    // Names are literals: an event is read with a dozen look-ups.

    /// Returns the value of a required member.
    package subscript(name: StaticString) -> JSONValue {
        get throws(JSONError) { try required(name) }
    }

    /// Returns the value of a required member.
    package func required(_ name: StaticString) throws(JSONError) -> JSONValue {
        guard let value = optional(name) else {
            throw JSONError(self.value, missing: name, detail: "missing member")
        }
        return value
    }

    /// Returns the value of a member; nil without one.
    ///
    /// `null` is a value.
    package func optional(_ name: StaticString) -> JSONValue? {
        let member = value.document.withTape { tape -> Int? in
            var member = value.index &+ 1
            while tape.letter(member) == Tape.Letter.string {
                if tape.isText(name, at: member) { return member }
                member = tape.after(member &+ 1)
            }
            return nil
        }
        guard let member else { return nil }
        return JSONValue(value.document, member &+ 1)
    }

    /// Returns the number of a required member.
    package func double(_ name: StaticString) throws(JSONError) -> Double {
        try required(name).double()
    }

    /// Returns the numbers of two required members, beside which others are not allowed.
    ///
    /// If they are in this order, as usual, each name is compared once.
    package func doubles(_ first: StaticString, _ second: StaticString) throws(JSONError) -> (Double, Double) {
        let numbers = value.document.withTape { tape -> (Double, Double)? in
            let one = value.index &+ 1
            guard count == 2, tape.isText(first, at: one), let left = tape.double(one &+ 1) else { return nil }
            let other = tape.after(one &+ 1)
            guard tape.isText(second, at: other), let right = tape.double(other &+ 1) else { return nil }
            return (left, right)
        }
        if let numbers { return numbers }
        try only(first, second)
        return (try double(first), try double(second))
    }

    /// Throws an error at the first member with another name than these.
    package func only(_ names: StaticString...) throws(JSONError) { try only(names) }

    /// Throws an error at the first member with another name than these.
    package func only(_ names: [StaticString]) throws(JSONError) {
        let unknown = value.document.withTape { tape in
            tape.children(of: value.index).first { member in !names.contains { tape.isText($0, at: member) } }
        }
        guard let unknown else { return }
        let list = names.map(\.description).joined(separator: ", ")
        let members =
            switch names.count {
            case 0: "the object has no members"
            case 1: "the member is \(list)"
            default: "the members are \(list)"
            }
        throw JSONValue(value.document, unknown).error("is unknown; \(members)")
    }

    /// The number of members.
    package var count: Int { value.document.withTape { $0.count(value.index) } }

    /// The pointer to the object (RFC 6901).
    package var pointer: String { value.pointer }

    /// An error at this object, for a rule that the caller knows, such as two members that exclude each other.
    package func error(_ detail: String) -> JSONError { value.error(detail) }
}

extension JSONObject: Sequence {
    /// The members in the order written.
    package func makeIterator() -> IndexingIterator<[(name: String, value: JSONValue)]> {
        let document = value.document
        let members = document.withTape { tape in
            tape.children(of: value.index).map { member in
                (name: String(decoding: tape.string(member), as: UTF8.self), value: JSONValue(document, member + 1))
            }
        }
        return members.makeIterator()
    }
}

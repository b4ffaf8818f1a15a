/// An object of a parsed document: its members, by name or in the order written.
///
/// No name is repeated. A look-up compares the bytes of each name: the objects of this service have few members.
package struct JSONObject: Sendable {
    private let document: Document
    private let index: Int

    init(_ document: Document, _ index: Int) {
        self.document = document
        self.index = index
    }

    // Names are literals. The look-ups are inlined into each other: an event is read with a dozen of them.

    /// Returns the value of a required member.
    package subscript(name: StaticString) -> JSONValue {
        get throws(JSONError) { try required(name) }
    }

    /// Returns the value of a required member.
    @inline(__always)
    package func required(_ name: StaticString) throws(JSONError) -> JSONValue {
        guard let value = optional(name) else { throw missing(name.description) }
        return value
    }

    /// Returns the value of a member; nil without one.
    ///
    /// `null` is a value.
    @inline(__always)
    package func optional(_ name: StaticString) -> JSONValue? {
        guard let member = document.withTape({ $0.member(name, of: index) }) else { return nil }
        return JSONValue(document, member &+ 1)
    }

    /// Returns the number of a required member.
    package func double(_ name: StaticString) throws(JSONError) -> Double {
        try required(name).double()
    }

    /// Returns the numbers of two required members, beside which others are not allowed.
    ///
    /// If they are in this order, as usual, each name is compared once.
    package func doubles(_ first: StaticString, _ second: StaticString) throws(JSONError) -> (Double, Double) {
        if let (one, other) = document.withTape({ $0.doubles(first, second, in: index) }) { return (one, other) }
        try only(first, second)
        return (try double(first), try double(second))
    }

    /// Throws an error at the first member with another name than these.
    package func only(_ names: StaticString...) throws(JSONError) {
        guard let unknownMember = document.withTape({ $0.member(notIn: names, of: index) }) else { return }
        throw unknown(unknownMember, known: names.map(\.description))
    }

    private func unknown(_ member: Int, known names: [String]) -> JSONError {
        let list = names.joined(separator: ", ")
        let known =
            switch names.count {
            case 0: "the object has no members"
            case 1: "the member is \(list)"
            default: "the members are \(list)"
            }
        return JSONError(
            pointer: document.pointer(to: member),
            detail: "is unknown; \(known)",
            isMalformed: false
        )
    }
}

extension JSONObject {
    /// The number of members.
    package var count: Int {
        document.withTape { tape in tape.count(index) ?? tape.members(of: index).reduce(0) { count, _ in count + 1 } }
    }

    /// The pointer to the object (RFC 6901).
    package var pointer: String { document.pointer(to: index) }

    /// An error at this object, for a rule that the caller knows, such as two members that exclude each other.
    package func error(_ detail: String) -> JSONError {
        JSONError(pointer: pointer, detail: detail, isMalformed: false)
    }

    private func missing(_ name: String) -> JSONError {
        JSONError(pointer: pointer + name.pointerPart, detail: "missing member", isMalformed: false)
    }
}

extension JSONObject: Sequence {
    /// The members in the order written.
    package func makeIterator() -> Iterator {
        Iterator(document: document, members: document.withTape { $0.members(of: index) })
    }

    /// An iterator over the members, in the order written.
    package struct Iterator: IteratorProtocol {
        fileprivate let document: Document
        fileprivate var members: Tape.Members

        /// The next member.
        package mutating func next() -> (name: String, value: JSONValue)? {
            // `members` borrows the tape of `document`.
            withExtendedLifetime(document) {
                guard let member = members.next() else { return nil }
                let name = document.withTape { String(decoding: $0.text(member), as: UTF8.self) }
                return (name, JSONValue(document, member + 1))
            }
        }
    }
}

extension Tape {
    /// Returns the index of a name in the object at `index`; nil if it is missing.
    @inline(__always)
    func member(_ name: StaticString, of index: Int) -> Int? {
        let wanted = name.bytes
        var members = members(of: index)
        while let member = members.next() {
            if isText(wanted, at: member) { return member }
        }
        return nil
    }

    /// The numbers of an object that has these two members, in this order, and no others; nil for any other object.
    @inline(__always)
    func doubles(_ first: StaticString, _ second: StaticString, in index: Int) -> (Double, Double)? {
        let one = index &+ 1
        guard count(index) == 2, isText(first.bytes, at: one) else { return nil }
        let other = after(one &+ 1)
        guard isText(second.bytes, at: other), let left = double(one &+ 1), let right = double(other &+ 1) else {
            return nil
        }
        return (left, right)
    }

    /// The index of the first name in the object at `index` that is none of `names`.
    @inline(__always)
    func member(notIn names: [StaticString], of index: Int) -> Int? {
        var members = members(of: index)
        search: while let member = members.next() {
            for name in names where isText(name.bytes, at: member) { continue search }
            return member
        }
        return nil
    }

    /// The indices of the names of the members of the object at `index`.
    func members(of index: Int) -> Members {
        Members(tape: self, position: index &+ 1)
    }

    /// An iterator over the members of an object.
    struct Members: Sequence, IteratorProtocol {
        fileprivate let tape: Tape
        fileprivate var position: Int

        mutating func next() -> Int? {
            guard tape.letter(position) == Letter.string else { return nil }
            defer { position = tape.after(position &+ 1) }
            return position
        }
    }
}

/// An array of a parsed document.
package struct JSONArray: Sendable {
    private let document: Document
    private let index: Int

    init(_ document: Document, _ index: Int) {
        self.document = document
        self.index = index
    }

    /// The number of elements.
    package var count: Int {
        document.withTape { tape in tape.count(index) ?? tape.elements(of: index).reduce(0) { count, _ in count + 1 } }
    }

    /// Whether the array has no elements.
    package var isEmpty: Bool { count == 0 }

    /// Returns the element at a valid position, from 0.
    ///
    /// It skips the elements before it: to visit all, iterate.
    package subscript(position: Int) -> JSONValue {
        let element = document.withTape { tape in
            position < 0 ? nil : tape.elements(of: index).dropFirst(position).first { _ in true }
        }
        guard let element else { preconditionFailure("no element \(position) in an array of \(count)") }
        return JSONValue(document, element)
    }

    /// The pointer to the array (RFC 6901).
    package var pointer: String { document.pointer(to: index) }

    /// An error at this array, for a rule that the caller knows, such as a number of elements.
    package func error(_ detail: String) -> JSONError {
        JSONError(pointer: pointer, detail: detail, isMalformed: false)
    }
}

extension JSONArray: Sequence {
    /// The number of elements, which is known.
    package var underestimatedCount: Int { count }

    /// The elements in their order.
    package func makeIterator() -> Iterator {
        Iterator(document: document, elements: document.withTape { $0.elements(of: index) })
    }

    /// An iterator over the elements, in their order.
    package struct Iterator: IteratorProtocol {
        fileprivate let document: Document
        fileprivate var elements: Tape.Elements

        /// The next element.
        package mutating func next() -> JSONValue? {
            // `elements` borrows the tape of `document`.
            withExtendedLifetime(document) { elements.next().map { JSONValue(document, $0) } }
        }
    }
}

extension Tape {
    /// The indices of the elements of the array at `index`.
    func elements(of index: Int) -> Elements {
        Elements(tape: self, position: index + 1)
    }

    /// An iterator over the elements of an array.
    struct Elements: Sequence, IteratorProtocol {
        fileprivate let tape: Tape
        fileprivate var position: Int

        mutating func next() -> Int? {
            guard tape.letter(position) != Letter.arrayEnd else { return nil }
            defer { position = tape.after(position) }
            return position
        }
    }
}

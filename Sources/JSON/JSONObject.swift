/// An object of a parsed document: its members, by name or in the order written.
///
/// No name comes twice. It is looked for by comparing bytes, member by member: the objects of this service have a handful of them.
package struct JSONObject: Sendable {
    private let document: Document
    private let index: Int

    init(_ document: Document, _ index: Int) {
        self.document = document
        self.index = index
    }

    // Names are literals. The look-ups are inlined into each other: an event is read with a dozen of them.

    /// The value of the member `name`, which must be there.
    package subscript(name: StaticString) -> JSONValue {
        get throws(JSONError) { try required(name) }
    }

    /// The value of the member `name`, which must be there.
    @inline(__always)
    package func required(_ name: StaticString) throws(JSONError) -> JSONValue {
        guard let value = optional(name) else { throw missing(name.description) }
        return value
    }

    /// The value of the member `name`, or nil when there is no such member.
    ///
    /// `null` is a value.
    @inline(__always)
    package func optional(_ name: StaticString) -> JSONValue? {
        guard let member = document.withTape({ $0.member(name, of: index) }) else { return nil }
        return JSONValue(document, member &+ 1)
    }

    /// The number of the member `name`, which must be there.
    package func double(_ name: StaticString) throws(JSONError) -> Double {
        try required(name).double()
    }

    /// The numbers of the members `first` and `second`, which must be there, and no others.
    ///
    /// Nearly everybody writes them in this order; then each name is looked at once.
    package func doubles(_ first: StaticString, _ second: StaticString) throws(JSONError) -> (Double, Double) {
        if let (one, other) = document.withTape({ $0.doubles(first, second, in: index) }) { return (one, other) }
        try only(first, second)
        return (try double(first), try double(second))
    }

    /// Refuses members of other names than these, at the first one.
    package func only(_ names: StaticString...) throws(JSONError) {
        guard let stranger = document.withTape({ $0.member(notIn: names, of: index) }) else { return }
        throw unknown(stranger, known: names.map(\.description))
    }

    private func unknown(_ stranger: Int, known names: [String]) -> JSONError {
        let known = names.isEmpty ? "there are none" : "known are \(names.joined(separator: ", "))"
        return JSONError(
            pointer: document.pointer(to: stranger),
            detail: "unknown member; \(known)",
            isMalformed: false
        )
    }
}

extension JSONObject {
    /// The number of members.
    package var count: Int {
        document.withTape { tape in tape.count(index) ?? tape.members(of: index).reduce(0) { count, _ in count + 1 } }
    }

    /// Where the object stands in its document (RFC 6901).
    package var pointer: String { document.pointer(to: index) }

    /// An error at this object, for a rule that the caller knows, such as two members that exclude each other.
    package func error(_ detail: String) -> JSONError {
        JSONError(pointer: pointer, detail: detail, isMalformed: false)
    }

    private func missing(_ name: String) -> JSONError {
        JSONError(pointer: pointer + JSONPointer.part(name), detail: "missing member", isMalformed: false)
    }
}

extension JSONObject: Sequence {
    /// The members in the order written.
    package func makeIterator() -> Iterator {
        Iterator(document: document, members: document.withTape { $0.members(of: index) })
    }

    /// Goes over the members in the order written.
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
    /// The index of the name `name` in the object at `index`, or nil when it is not there.
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

    /// Goes over the members of an object.
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

import CSimdJSON

/// Parses JSON (RFC 8259) strictly.
///
/// simdjson parses the whole document, and refuses bad syntax, bytes after the end, a byte order mark, invalid UTF-8,
/// escapes of half a surrogate pair, control characters in strings, numbers beyond a double, and integers of more than 64
/// bits (RFC 8259, section 6, permits such limits; write `1e20` instead). Two things that the grammar permits are refused
/// too: containers nested deeper than ``maximumDepth``, and repeated members, of which readers use different ones.
///
/// Values are then read one by one, and each access throws an error with a pointer.
package enum JSON {
    /// How deep arrays and objects may be nested; `[[1]]` is two deep.
    package static let maximumDepth = 64

    /// Parses a document.
    ///
    /// The value keeps the parsed document alive and may be stored; the bytes are not needed any more.
    ///
    /// - Throws: A malformed ``JSONError``.
    package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        JSONValue(try Document(parsing: bytes), Tape.root)
    }

    /// Parses a document and hands its value to `body`, which throws nothing else than what the reader throws.
    package static func parse<Result>(
        _ bytes: [UInt8],
        _ body: (JSONValue) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        try body(try parse(bytes))
    }

    /// Parses a document and hands its value to `body`.
    ///
    /// - Throws: A malformed ``JSONError``, or what `body` throws.
    package static func parse<Result>(
        _ bytes: [UInt8],
        _ body: (JSONValue) throws -> Result
    ) throws -> Result {
        try body(try parse(bytes))
    }
}

/// Checks what the grammar permits and a service must refuse: deep nesting and repeated members.
///
/// RFC 8259, section 4: "When the names within an object are not unique, the behavior of software that receives such an
/// object is unpredictable." For example, one reader checks a signature and another uses a different value.
enum Inspection {
    /// The fault and its element.
    struct Violation {
        let index: Int
        let detail: String
    }

    /// Walks over the whole tape once.
    static func firstViolation(in tape: Tape) -> Violation? {
        var depth = 0
        var position = Tape.root
        let end = tape.end
        while position < end {
            switch tape.letter(position) {
            case Tape.Letter.object, Tape.Letter.array:
                depth += 1
                // simdjson counts too, but not a container that is empty.
                guard depth <= JSON.maximumDepth else {
                    return Violation(index: Tape.root, detail: "must not be nested over \(JSON.maximumDepth) deep")
                }
                if tape.letter(position) == Tape.Letter.object, let second = tape.duplicate(in: position) {
                    return Violation(index: second, detail: "duplicate member")
                }
                position += 1
            case Tape.Letter.objectEnd, Tape.Letter.arrayEnd:
                depth -= 1
                position += 1
            default:
                position = tape.after(position)
            }
        }
        return nil
    }
}

extension Tape {
    /// Returns the repeated name of the object at `index`, if there is one.
    fileprivate func duplicate(in index: Int) -> Int? {
        switch count(index) {
        case .some(0...1): nil
        case .some(2...16): duplicateByComparison(in: index)
        default: duplicateBySorting(in: index)
        }
    }

    /// Compares every name with those before it, without memory, for few members.
    private func duplicateByComparison(in index: Int) -> Int? {
        for name in members(of: index) {
            var earlier = index &+ 1
            while earlier < name {
                if order(earlier, name) == 0 { return name }
                earlier = after(earlier &+ 1)
            }
        }
        return nil
    }

    /// Sorts the names so that equal ones are adjacent: n log n for any input, where a hash table has a worst case.
    private func duplicateBySorting(in index: Int) -> Int? {
        let names = members(of: index).sorted { first, second in
            let order = order(first, second)
            return order == 0 ? first < second : order < 0
        }
        let duplicates = zip(names, names.dropFirst()).lazy.filter { order($0, $1) == 0 }.map { $1 }
        return duplicates.min()
    }

    /// Compares two strings by length, then by bytes; negative, zero or positive.
    private func order(_ first: Int, _ second: Int) -> Int {
        let (first, second) = (text(first), text(second))
        guard first.count == second.count else { return first.count - second.count }
        // Both addresses are good for `count` bytes; they are never nil, as even an empty string has its NUL.
        guard let left = first.baseAddress, let right = second.baseAddress else { return 0 }
        return Int(csimdjson_compare(left, right, first.count))
    }
}

import Glibc

/// Parses JSON (RFC 8259) strictly.
///
/// The whole document is parsed first. The parser refuses malformed syntax, bytes after the end, a byte order mark,
/// invalid UTF-8, escapes of half a surrogate pair, and control characters in strings. It also refuses numbers beyond a
/// double, and integers of more than 64 bits. RFC 8259, section 6, permits such limits; write `1e20` instead. Two
/// documents that the grammar permits are refused, too: with containers deeper than ``maximumDepth``, and with repeated
/// members, of which parsers use different ones.
///
/// Values are then read one by one, and each access throws an error with a pointer.
package enum JSON {
    /// The greatest depth of nested arrays and objects; `[[1]]` has a depth of two.
    package static let maximumDepth = 64

    /// Parses a document.
    ///
    /// The value keeps the parsed document alive and may be stored; the bytes are not needed any more.
    ///
    /// - Throws: A malformed ``JSONError``.
    package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        JSONValue(try Document.parse(bytes), Tape.root)
    }
}

extension Tape {
    /// The first repeated name of an object; nil without one.
    ///
    /// RFC 8259, section 4: "When the names within an object are not unique, the behavior of software that receives such
    /// an object is unpredictable." For example, one reader checks a signature and another uses a different value.
    var firstDuplicate: Int? {
        var position = Tape.root
        let end = end
        while position < end {
            switch letter(position) {
            case Letter.object:
                if let second = duplicate(in: position) { return second }
                position += 1
            case Letter.array, Letter.arrayEnd, Letter.objectEnd: position += 1
            default: position = after(position)
            }
        }
        return nil
    }

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
        guard let left = first.baseAddress, let right = second.baseAddress else { return 0 }
        return Int(memcmp(left, right, first.count))
    }
}

import CSimdJSON

/// What the grammar allows and a service must not: nesting without an end, and two members of one name.
///
/// RFC 8259, section 4: "When the names within an object are not unique, the behavior of software that receives such an
/// object is unpredictable." A signature checked by one reader and a value used by another is how that hurts.
enum Inspection {
    /// What is not allowed, and which element it is.
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
    /// The name in the object at `index` that stood there before, if there is one.
    fileprivate func duplicate(in index: Int) -> Int? {
        switch count(index) {
        case .some(0...1): nil
        case .some(2...16): duplicateByComparison(in: index)
        default: duplicateBySorting(in: index)
        }
    }

    /// Every name against those before it: without any memory, for few members.
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

    /// Equal names side by side: n log n whatever the sender makes of them, where a hash table has its worst case.
    private func duplicateBySorting(in index: Int) -> Int? {
        let names = members(of: index).sorted { first, second in
            let order = order(first, second)
            return order == 0 ? first < second : order < 0
        }
        let duplicates = zip(names, names.dropFirst()).lazy.filter { order($0, $1) == 0 }.map { $1 }
        return duplicates.min()
    }

    /// Negative, zero or positive as one string sorts before, with or after another: by length, then by bytes.
    private func order(_ first: Int, _ second: Int) -> Int {
        let (first, second) = (text(first), text(second))
        guard first.count == second.count else { return first.count - second.count }
        // Both addresses are good for `count` bytes; they are never nil, as even an empty string has its NUL.
        guard let left = first.baseAddress, let right = second.baseAddress else { return 0 }
        return Int(csimdjson_compare(left, right, first.count))
    }
}

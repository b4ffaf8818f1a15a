/// The fields of a message, in the order received (RFC 9110, section 5).
///
/// `HTTPFields` of swift-http-types builds a hash index at its first look-up. A request has a handful of fields and
/// is looked into a handful of times, so a plain scan over an array is several times cheaper, and it is what the hot
/// path pays. Values are plain text here and not checked once more each time one is set or moved: where they come in,
/// controls are refused, and where they go out, nothing that would end a line is sent.
package struct Fields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// All of them, in the order received.
    ///
    /// An array, so that another module reads it without a call for each element.
    package private(set) var entries: [Field]

    /// One field of a message.
    package struct Field: Sendable, Equatable {
        package let name: FieldName
        package let value: String
    }

    /// No fields.
    package init() {
        entries = []
    }

    /// The given fields, in this order.
    package init(dictionaryLiteral elements: (FieldName, String)...) {
        // Most literals are empty, the default of whatever has fields; going over none of them is not free.
        entries = elements.isEmpty ? [] : elements.map { Field(name: $0, value: $1) }
    }

    /// No fields yet, with room for `capacity`.
    package init(capacity: Int) {
        entries = []
        entries.reserveCapacity(capacity)
    }

    package var count: Int { entries.count }

    /// The first value of `name`, or nil; setting replaces every field of that name, setting nil removes them.
    package subscript(name: FieldName) -> String? {
        get {
            for entry in entries where entry.name == name { return entry.value }
            return nil
        }
        set {
            guard let newValue else {
                entries.removeAll { $0.name == name }
                return
            }
            let field = Field(name: name, value: newValue)
            guard let first = entries.firstIndex(where: { $0.name == name }) else {
                entries.append(field)
                return
            }
            entries[first] = field
            var position = entries.count - 1
            while position > first {
                if entries[position].name == name { entries.remove(at: position) }
                position -= 1
            }
        }
    }

    /// Every value of `name`, in the order received.
    package func values(of name: FieldName) -> [String] {
        var values: [String] = []
        for entry in entries where entry.name == name { values.append(entry.value) }
        return values
    }

    /// The value of a field that stands there exactly once; nil for none, and for several, which contradict each other.
    package func single(_ name: FieldName) -> String? {
        var found: String?
        for entry in entries where entry.name == name {
            if found != nil { return nil }
            found = entry.value
        }
        return found
    }

    /// Adds a field and keeps those of the same name.
    package mutating func append(_ name: FieldName, _ value: String) {
        append(Field(name: name, value: value))
    }

    /// Adds a field and keeps those of the same name.
    package mutating func append(_ field: Field) {
        entries.append(field)
    }
}

extension Fields: RandomAccessCollection {
    package var startIndex: Int { entries.startIndex }
    package var endIndex: Int { entries.endIndex }
    package subscript(position: Int) -> Field { entries[position] }
}

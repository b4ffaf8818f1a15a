/// The fields of a message, in the order received (RFC 9110, section 5).
///
/// `HTTPFields` of swift-http-types builds a hash index at its first look-up. A request has few fields and few look-ups, so
/// this is an array that is scanned. Values are not checked when they are set: the server refuses control
/// characters in requests, and does not send line ends in responses.
package struct Fields: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// The fields, in the order received.
    ///
    /// An array, so that another module reads it without a call for each element.
    package private(set) var entries: [Field]

    /// One field of a message.
    package struct Field: Sendable, Equatable {
        package let name: FieldName
        package let value: String
    }

    /// Creates no fields.
    package init() {
        entries = []
    }

    /// Creates fields in the given order.
    package init(dictionaryLiteral elements: (FieldName, String)...) {
        // Most literals are empty default values; mapping even an empty array has a cost.
        entries = elements.isEmpty ? [] : elements.map { Field(name: $0, value: $1) }
    }

    /// Creates one field, with room for `capacity`.
    package init(_ name: FieldName, _ value: String, capacity: Int) {
        entries = []
        entries.reserveCapacity(capacity)
        entries.append(Field(name: name, value: value))
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

    /// Returns every value of `name`, in the order received.
    package func values(of name: FieldName) -> [String] {
        var values: [String] = []
        for entry in entries where entry.name == name { values.append(entry.value) }
        return values
    }

    /// Returns the value of a field that is present exactly once; nil for none and for several.
    package func single(_ name: FieldName) -> String? {
        var value: String?
        for entry in entries where entry.name == name {
            if value != nil { return nil }
            value = entry.value
        }
        return value
    }

    /// Adds a field and keeps those of the same name.
    package mutating func append(_ name: consuming FieldName, _ value: consuming String) {
        entries.append(Field(name: name, value: value))
    }

    /// Removes all fields and keeps their memory.
    package mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }
}

extension Fields: RandomAccessCollection {
    package var startIndex: Int { entries.startIndex }
    package var endIndex: Int { entries.endIndex }
    package subscript(position: Int) -> Field { entries[position] }
}

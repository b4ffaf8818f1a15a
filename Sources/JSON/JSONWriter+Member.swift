extension JSONWriter {
    /// Writes a member with a number, or `null` for nil.
    package mutating func member(_ name: String, _ value: Double?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with an integer, or `null` for nil.
    package mutating func member(_ name: String, _ value: Int?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with `true` or `false`, or `null` for nil.
    package mutating func member(_ name: String, _ value: Bool?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with a string, or `null` for nil.
    package mutating func member(_ name: String, _ value: String?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with an object.
    package mutating func object<Failure>(
        _ name: String,
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try object(body)
    }

    /// Writes a member with an array.
    package mutating func array<Failure>(
        _ name: String,
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try array(body)
    }
}

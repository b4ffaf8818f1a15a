// A member with its value in one call. Nearly every name is a literal and so a `StaticString`, which is written as it
// stands; a name that is only known at run time is a `String`, and is escaped where it has to be.

extension JSONWriter {
    /// Writes a member with a number, or `null` for nil.
    package mutating func member(_ name: StaticString, _ value: Double?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with an integer, or `null` for nil.
    package mutating func member(_ name: StaticString, _ value: Int?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with `true` or `false`, or `null` for nil.
    package mutating func member(_ name: StaticString, _ value: Bool?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with a string, or `null` for nil.
    package mutating func member(_ name: StaticString, _ value: String?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with an object.
    @inlinable
    package mutating func object<Failure>(
        _ name: StaticString,
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin(name, "{", .firstMember)
        try body(&self)
        end("}", .firstMember, .member, .member)
    }

    /// Writes a member with an array.
    @inlinable
    package mutating func array<Failure>(
        _ name: StaticString,
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        begin(name, "[", .firstElement)
        try body(&self)
        end("]", .firstElement, .element, .member)
    }
}

// Disfavored, so that a literal is a `StaticString`.
extension JSONWriter {
    /// Writes a member with a number, or `null` for nil.
    @_disfavoredOverload
    package mutating func member(_ name: String, _ value: Double?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with an integer, or `null` for nil.
    @_disfavoredOverload
    package mutating func member(_ name: String, _ value: Int?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with `true` or `false`, or `null` for nil.
    @_disfavoredOverload
    package mutating func member(_ name: String, _ value: Bool?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with a string, or `null` for nil.
    @_disfavoredOverload
    package mutating func member(_ name: String, _ value: String?) {
        key(name)
        self.value(value)
    }

    /// Writes a member with an object.
    @_disfavoredOverload
    @inlinable
    package mutating func object<Failure>(
        _ name: String,
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try object(body)
    }

    /// Writes a member with an array.
    @_disfavoredOverload
    @inlinable
    package mutating func array<Failure>(
        _ name: String,
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        key(name)
        try array(body)
    }
}

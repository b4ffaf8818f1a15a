package import HTTPTypes

/// An error as an answer (RFC 9457, "Problem Details for HTTP APIs").
package struct Problem: Error, Sendable, Equatable {
    /// The last part of `type`, such as `bar-not-found`: stable, documented under `/problems/{code}`.
    package var code: String
    package var status: HTTPResponse.Status
    /// The same sentence for every problem of this code.
    package var title: String
    /// What was wrong this time, where, and what would be right.
    package var detail: String
    /// The faults of the input, one by one.
    package var errors: [Fault]
    /// Members of this code alone, such as `expectedSequence`.
    package var members: [Member]
    /// Fields that go with the answer, such as Allow or Retry-After.
    package var fields: Fields

    package init(
        code: String,
        status: HTTPResponse.Status,
        title: String,
        detail: String,
        errors: [Fault] = [],
        members: [Member] = [],
        fields: Fields = [:]
    ) {
        self.code = code
        self.status = status
        self.title = title
        self.detail = detail
        self.errors = errors
        self.members = members
        self.fields = fields
    }

    /// One fault of the input.
    package struct Fault: Sendable, Equatable {
        package var place: Place
        package var detail: String

        package init(_ place: Place, _ detail: String) {
            self.place = place
            self.detail = detail
        }
    }

    /// Where in a request something stands.
    package enum Place: Sendable, Equatable {
        /// A JSON Pointer into the content (RFC 6901).
        case pointer(String)
        /// The name of a query parameter.
        case parameter(String)
        /// The name of a field.
        case field(String)
    }

    /// An extension member (RFC 9457, section 3.2).
    package struct Member: Sendable, Equatable {
        package var name: String
        package var value: Value

        /// What a member can say.
        package enum Value: Sendable, Equatable {
            case integer(Int)
            case text(String)
        }

        package init(_ name: String, _ value: Int) {
            self.name = name
            self.value = .integer(value)
        }

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = .text(value)
        }
    }
}

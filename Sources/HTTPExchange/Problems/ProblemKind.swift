package import HTTPTypes

extension Problem {
    /// What all problems of one code have in common: what `/problems/{code}` explains.
    package struct Kind: Sendable, Equatable {
        /// The last part of the problem's `type`: lower case, words joined by hyphens.
        package let code: String
        package let status: HTTPResponse.Status
        /// The same sentence each time.
        package let title: String
        /// A paragraph for the developer who met the code: when it happens and what to do.
        package let explanation: String

        /// The `type` of every problem of this kind: the path of its page.
        package var type: String { Problem.type(of: code) }

        package init(_ code: String, _ status: HTTPResponse.Status, _ title: String, explanation: String) {
            self.code = code
            self.status = status
            self.title = title
            self.explanation = explanation
        }
    }

    /// Where problems of a code are explained (RFC 9457, section 3.1.1).
    static func type(of code: String) -> String {
        "/problems/\(code)"
    }

    /// A problem of a kind.
    package init(
        _ kind: Kind,
        _ detail: String,
        errors: [Fault] = [],
        members: [Member] = [],
        fields: Fields = [:]
    ) {
        self.init(
            code: kind.code,
            status: kind.status,
            title: kind.title,
            detail: detail,
            errors: errors,
            members: members,
            fields: fields
        )
    }
}

package import HTTPTypes

/// A route table that cannot mean anything, found when the service starts.
package enum RouteConflict: Error, Equatable, CustomStringConvertible {
    /// Two routes with the same method at the same place.
    case duplicate(HTTPRequest.Method, template: String)
    /// Two names for the parameter at one place: a reader of the table could not tell which one a handler sees.
    case parameterNames(String, String, template: String)
    /// A template that is not a path of literals and `{parameters}`.
    case malformed(String, reason: String)

    package var description: String {
        switch self {
        case .duplicate(let method, let template):
            "\(method) \(template) stands there twice"
        case .parameterNames(let first, let second, let template):
            "\(template) calls {\(second)} what another route calls {\(first)}"
        case .malformed(let template, let reason):
            "\(template): \(reason)"
        }
    }
}

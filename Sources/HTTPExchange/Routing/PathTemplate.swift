package import HTTPTypes
import Primitives

/// A parsed template such as `/v1/bars/{id}/events`.
struct PathTemplate: Sendable {
    /// A segment between two slashes.
    enum Segment: Sendable, Equatable {
        /// Matches itself; empty after a trailing slash.
        case literal(String)
        /// Matches any segment that is not empty.
        case parameter(String)
    }

    let text: String
    let segments: [Segment]
    /// The names of the parameters, in path order.
    let parameterNames: [String]
    /// The indices of their segments, in the same order.
    let parameterSegments: [Int]

    init(_ text: String) throws(RouteConflict) {
        guard text.utf8.first == UInt8(ascii: "/") else {
            throw .malformed(text, reason: "a template begins with a slash")
        }
        var segments: [Segment] = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            segments.append(try PathTemplate.segment(part, of: text))
        }
        if let empty = segments.firstIndex(of: .literal("")), empty != segments.count - 1 {
            throw .malformed(text, reason: "an empty segment can only be the last")
        }
        var names: [String] = []
        var positions: [Int] = []
        for (position, segment) in segments.enumerated() {
            guard case .parameter(let name) = segment else { continue }
            guard !names.contains(name) else { throw .malformed(text, reason: "{\(name)} is repeated") }
            names.append(name)
            positions.append(position)
        }
        self.text = text
        self.segments = segments
        parameterNames = names
        parameterSegments = positions
    }

    private static func segment(_ part: Substring, of text: String) throws(RouteConflict) -> Segment {
        if part.first == "{", part.last == "}" {
            let name = part.dropFirst().dropLast()
            guard !name.isEmpty, name.utf8.allSatisfy(isNameByte) else {
                throw .malformed(text, reason: "\(part) is not a name in braces")
            }
            return .parameter(String(name))
        }
        // Unreserved characters only: a look-up compares a literal with their decoded form.
        guard part.utf8.allSatisfy(PercentEncoding.isUnreserved) else {
            throw .malformed(text, reason: "\(part) has characters other than A-Z a-z 0-9 - . _ ~")
        }
        return .literal(String(part))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: "~")
    }
}

/// A fault of the route table, found when the service starts.
package enum RouteConflict: Error, Equatable, CustomStringConvertible {
    /// Two routes with the same method and path.
    case duplicate(HTTPRequest.Method, template: String)
    /// Two names for the parameter of one segment.
    case parameterNames(String, String, template: String)
    /// A template that is not a path of literals and `{parameters}`.
    case malformed(String, reason: String)

    package var description: String {
        switch self {
        case .duplicate(let method, let template):
            "\(method) \(template) is repeated"
        case .parameterNames(let first, let second, let template):
            "\(template) calls {\(second)} what another route calls {\(first)}"
        case .malformed(let template, let reason):
            "\(template): \(reason)"
        }
    }
}

import Primitives

/// A template such as `/v1/bars/{id}/events`, taken apart.
struct PathTemplate: Sendable {
    /// What stands between two slashes.
    enum Segment: Sendable, Equatable {
        /// Matches itself; empty after a trailing slash.
        case literal(String)
        /// Matches any segment but an empty one.
        case parameter(String)
    }

    let text: String
    let segments: [Segment]
    /// The names of the parameters, in path order.
    let parameterNames: [String]
    /// Which segments they are, in the same order.
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
            guard !names.contains(name) else { throw .malformed(text, reason: "{\(name)} stands there twice") }
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
        // Only what need not be encoded: the walk compares a literal with the decoded form of unreserved characters.
        guard part.utf8.allSatisfy(PercentEncoding.isUnreserved) else {
            throw .malformed(text, reason: "\(part) has characters other than A-Z a-z 0-9 - . _ ~")
        }
        return .literal(String(part))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: "~")
    }
}

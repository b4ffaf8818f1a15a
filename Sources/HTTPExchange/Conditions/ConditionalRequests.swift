import HTTPTypes
import Primitives

/// An identifier of one state of a resource (RFC 9110, section 8.8.3).
package struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// The text between the quotes.
    package let opaque: String
    /// Whether equal tags mean equivalent content rather than equal bytes.
    package let isWeak: Bool

    /// Creates a strong tag.
    ///
    /// - Precondition: visible ASCII characters without a quote.
    package init(strong opaque: String) {
        precondition(opaque.utf8.allSatisfy(EntityTag.isTagByte), "\(opaque) is not allowed in an entity tag")
        self.init(opaque: opaque, isWeak: false)
    }

    /// Creates a strong tag from the hash of the bytes.
    package init(hashing bytes: [UInt8]) {
        self.init(opaque: String(SipHash.hash(bytes), radix: 36), isWeak: false)
    }

    /// Parses `"x"` or `W/"x"`; nil for anything else, such as missing quotes.
    package init?(_ text: some StringProtocol) {
        guard let list = EntityTag.list(String(text)), list.count == 1 else { return nil }
        self = list[0]
    }

    /// The text of the tag in a field.
    package var description: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

    /// Compares strongly (section 8.8.3.2): equal bytes.
    package func isSame(as other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Compares weakly (section 8.8.3.2): equivalent content.
    package func isEquivalent(to other: EntityTag) -> Bool {
        opaque == other.opaque
    }

    /// Parses tags separated by commas, with empty elements allowed; nil for malformed text.
    ///
    /// This is not a list of quoted strings: in a tag, a backslash has no special meaning.
    package static func list(_ text: String) -> [EntityTag]? {
        var tags: [EntityTag] = []
        var unread = text.utf8[...]
        while true {
            unread = unread.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            if unread.isEmpty { return tags }
            if unread.first != UInt8(ascii: ",") {
                let isWeak = unread.starts(with: "W/".utf8)
                if isWeak { unread = unread.dropFirst(2) }
                guard unread.popFirst() == UInt8(ascii: "\""), let end = unread.firstIndex(of: UInt8(ascii: "\"")),
                    unread[..<end].allSatisfy(isTagByte)
                else { return nil }
                tags.append(EntityTag(opaque: String(Substring(unread[..<end])), isWeak: isWeak))
                unread = unread[end...].dropFirst().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            }
            guard unread.isEmpty || unread.popFirst() == UInt8(ascii: ",") else { return nil }
        }
    }

    private init(opaque: String, isWeak: Bool) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// `etagc` of section 8.8.3.
    private static func isTagByte(_ byte: UInt8) -> Bool {
        byte == 0x21 || 0x23...0x7E ~= byte || byte >= 0x80
    }
}

/// The value of If-Match or If-None-Match (RFC 9110, sections 13.1.1 and 13.1.2).
package enum EntityTagCondition: Sendable, Equatable {
    /// `*`: any state.
    case any
    /// One of these states.
    ///
    /// Malformed text has none: an If-Match fails and an If-None-Match is ignored, so the client overwrites nothing and gets
    /// the whole answer.
    case tags([EntityTag])

    /// Reads the fields of this name; nil if there is none.
    package init?(_ name: FieldName, in fields: Fields) {
        guard fields[name] != nil else { return nil }
        let text = fields.values(of: name).joined(separator: ",")
        self = text[...].trimmingBlanks() == "*" ? .any : .tags(EntityTag.list(text) ?? [])
    }

    /// Whether an If-Match with this value is met, by strong comparison.
    package func matches(_ current: EntityTag) -> Bool {
        has { $0.isSame(as: current) }
    }

    /// Whether an If-None-Match with this value has the current state, by weak comparison.
    package func has(_ current: EntityTag) -> Bool {
        has { $0.isEquivalent(to: current) }
    }

    private func has(_ isCurrent: (EntityTag) -> Bool) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains(where: isCurrent)
        }
    }
}

/// The conditions of a request that writes (RFC 9110, sections 13.1.1 and 13.1.2).
package struct WriteConditions: Sendable {
    package let ifMatch: EntityTagCondition?
    private let ifNoneMatch: EntityTagCondition?

    package init(_ fields: Fields) {
        ifMatch = EntityTagCondition(.ifMatch, in: fields)
        ifNoneMatch = EntityTagCondition(.ifNoneMatch, in: fields)
    }

    package func areMet(by current: @autoclosure () -> EntityTag) -> Bool {
        if let ifMatch, !ifMatch.matches(current()) { return false }
        if let ifNoneMatch, ifNoneMatch.has(current()) { return false }
        return true
    }
}

extension Problem {
    /// 412 with the current tag.
    package static func preconditionFailed(_ current: EntityTag) -> Problem {
        let detail = "If-Match must have the ETag of the current state, \(current), and If-None-Match must not."
        return Problem(.preconditionFailed, detail, fields: [.eTag: current.description])
    }

    /// 428 with the current tag.
    package static func preconditionRequired(_ current: EntityTag) -> Problem {
        Problem(.preconditionRequired, "If-Match is missing; the current ETag is \(current).")
    }
}

/// Applies conditions and ranges to a complete response: 304 for If-None-Match, 206 for Range.
///
/// Handlers only set ETag, and Accept-Ranges where ranges make sense. The order is that of RFC 9110, section 13.2.2:
/// If-Match, If-None-Match, then Range with If-Range. The service has no Last-Modified, so conditions on dates never
/// apply.
package struct ConditionalRequests: Middleware {
    package init() {}

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        // Most requests have no condition, which is checked first.
        guard request.isConditional, response.status == .ok, request.method == .get || request.method == .head,
            let text = response.fields[.eTag], let current = EntityTag(text)
        else { return }
        // A stream must be closed by the server, so it is not replaced here.
        if case .stream = response.content { return }
        if let condition = EntityTagCondition(.ifMatch, in: request.fields), !condition.matches(current) {
            response = Problem.preconditionFailed(current).response(instance: context.requestID)
        } else if let condition = EntityTagCondition(.ifNoneMatch, in: request.fields), condition.has(current) {
            // The fields that describe the content go (RFC 9110, section 15.4.5). The server sends the content's length.
            response.status = .notModified
            for name in [FieldName.contentType, .contentEncoding, .contentLanguage, .contentDisposition] {
                response.fields[name] = nil
            }
        } else if response.fields[.acceptRanges] == "bytes" {
            do throws(Problem) {
                response = try response.satisfyingRange(of: request)
            } catch {
                response = error.response(instance: context.requestID)
            }
        }
    }
}

extension Request {
    /// Whether the request has a condition or a range.
    fileprivate var isConditional: Bool {
        for field in fields.entries where field.name == .ifNoneMatch || field.name == .ifMatch || field.name == .range {
            return true
        }
        return false
    }
}

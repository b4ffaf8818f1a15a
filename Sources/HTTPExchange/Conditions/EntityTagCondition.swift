import Primitives

/// The value of If-Match or If-None-Match (RFC 9110, sections 13.1.1 and 13.1.2).
package enum EntityTagCondition: Sendable, Equatable {
    /// `*`: any state.
    case any
    /// One of these states.
    case tags([EntityTag])
    /// Another text. As an If-Match it fails and as an If-None-Match it is ignored, so the client overwrites nothing and
    /// gets the whole answer.
    case malformed

    /// Reads the fields of this name; nil if there is none.
    package init?(_ name: FieldName, of request: Request) {
        guard request.fields[name] != nil else { return nil }
        let text = request.fields.values(of: name).joined(separator: ",")
        if text[...].trimmingBlanks() == "*" {
            self = .any
        } else if let tags = EntityTag.list(text), !tags.isEmpty {
            self = .tags(tags)
        } else {
            self = .malformed
        }
    }

    /// Whether an If-Match with this value is met, by strong comparison.
    package func matches(_ current: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.isSame(as: current) }
        case .malformed: false
        }
    }

    /// Whether an If-None-Match with this value has the current state, by weak comparison.
    func has(_ current: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.isEquivalent(to: current) }
        case .malformed: false
        }
    }
}

extension Problem {
    /// 412 with the current tag.
    package static func preconditionFailed(_ current: EntityTag) -> Problem {
        Problem(
            .preconditionFailed,
            "If-Match does not name the current state, whose ETag is \(current).",
            fields: [.eTag: current.description]
        )
    }

    /// 428 with the current tag.
    package static func preconditionRequired(_ current: EntityTag) -> Problem {
        Problem(.preconditionRequired, "Send If-Match; the current ETag is \(current).")
    }
}

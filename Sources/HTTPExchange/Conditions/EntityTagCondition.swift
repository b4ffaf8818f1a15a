import Primitives

/// The value of If-Match or If-None-Match (RFC 9110, sections 13.1.1 and 13.1.2).
enum EntityTagCondition: Equatable {
    /// `*`: whatever there is.
    case any
    case tags([EntityTag])
    /// Neither. It is not guessed at: as an If-Match it fails, as an If-None-Match it is not there, and so the client
    /// overwrites nothing and gets the whole answer.
    case malformed

    /// Reads the fields of this name; nil when there is none.
    init?(_ name: FieldName, of request: Request) {
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

    /// Whether an If-Match with this value lets the request through: by strong comparison.
    func matches(_ current: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.isSame(as: current) }
        case .malformed: false
        }
    }

    /// Whether an If-None-Match with this value has what there is already: by weak comparison.
    func has(_ current: EntityTag) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { $0.isEquivalent(to: current) }
        case .malformed: false
        }
    }
}

extension Request {
    /// Holds If-Match against the current state, before anything is changed.
    ///
    /// - Parameters:
    ///   - current: the tag of the state that would be overwritten.
    ///   - isRequired: whether a request without If-Match is refused.
    /// - Throws: `Problem` 412 when the state is another one, 428 without If-Match where it is required.
    package func requireMatch(_ current: EntityTag, isRequired: Bool = false) throws(Problem) {
        guard let condition = EntityTagCondition(.ifMatch, of: self) else {
            if isRequired { throw Problem(.preconditionRequired, "Send If-Match; the current ETag is \(current).") }
            return
        }
        guard condition.matches(current) else { throw .preconditionFailed(current) }
    }
}

extension Problem {
    /// 412 with the tag of what is there.
    static func preconditionFailed(_ current: EntityTag) -> Problem {
        Problem(
            .preconditionFailed,
            "If-Match does not name the current state, whose ETag is \(current).",
            fields: [.eTag: current.description]
        )
    }
}

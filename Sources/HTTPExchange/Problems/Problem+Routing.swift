package import HTTPTypes

extension Problem {
    /// 404 for a path of nobody's.
    package static func notFound(_ target: Target) -> Problem {
        Problem(.notFound, "There is nothing at `\(target.path.excerpt)`.")
    }

    /// 404 for a path parameter that is text of nothing, such as an unknown variant of a picture.
    static func noSuchParameter(_ name: String, _ text: String) -> Problem {
        Problem(.notFound, "`\(text[...].excerpt)` is no {\(name)} of this path.")
    }

    /// 400 for a segment that cannot be decoded.
    static func malformedPath(parameter: String) -> Problem {
        Problem(.malformedPath, "{\(parameter)} is not percent-encoded UTF-8 text.")
    }

    /// 405 with Allow (RFC 9110, section 15.5.6).
    package static func methodNotAllowed(_ method: HTTPRequest.Method, allow: String) -> Problem {
        Problem(
            .methodNotAllowed,
            "This path does not have \(method.rawValue[...].excerpt), but \(allow).",
            fields: [.allow: allow]
        )
    }

    /// 500 for an error that nobody foresaw: it says nothing about it.
    package static let internalError = Problem(
        .internalError,
        "The log has more under the request id in `instance`."
    )

    /// Work that was given up because its client left.
    static let cancelled = Problem(.cancelled, "Nobody waits for this answer.")
}

extension Substring {
    /// The beginning of a text that a client sent, short enough to stand in an answer.
    ///
    /// By scalars: a character may be as long as the text.
    var excerpt: Substring { Substring(unicodeScalars.prefix(100)) }
}

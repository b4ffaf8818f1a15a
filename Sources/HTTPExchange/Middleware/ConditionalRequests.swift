import HTTPTypes

/// Turns a whole answer into the shorter one that a client asked for: 304 by If-None-Match, 206 by Range.
///
/// A handler has no part in it but to set ETag, and Accept-Ranges where a part of the content makes sense. The order is
/// that of RFC 9110, section 13.2.2: If-Match, If-None-Match, then Range with If-Range. There is no Last-Modified
/// anywhere in this service, so the conditions on dates never apply.
package struct ConditionalRequests: Middleware {
    package init() {}

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        // Most requests have no condition; then nothing of the response is looked at.
        guard response.status == .ok, request.method == .get || request.method == .head, request.isConditional,
            let text = response.fields[.eTag], let current = EntityTag(text)
        else { return }
        // Somebody waits to hear that a stream is closed; it is not thrown away here.
        if case .stream = response.content { return }
        if let condition = EntityTagCondition(.ifMatch, of: request), !condition.matches(current) {
            response = Problem.preconditionFailed(current).response(instance: context.requestID)
        } else if let condition = EntityTagCondition(.ifNoneMatch, of: request), condition.has(current) {
            response.becomeNotModified()
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
    /// Whether it has one of the fields that this rule is about.
    fileprivate var isConditional: Bool {
        fields.contains { field in
            field.name == .ifNoneMatch || field.name == .ifMatch || field.name == .range
        }
    }
}

extension Response {
    /// 304 (RFC 9110, section 15.4.5): ETag, Cache-Control, Vary and the like stay, what describes the content goes.
    ///
    /// The content itself stays too: its length is the one that the server announces.
    mutating func becomeNotModified() {
        status = .notModified
        for name in [FieldName.contentType, .contentEncoding, .contentLanguage, .contentDisposition] {
            fields[name] = nil
        }
    }
}

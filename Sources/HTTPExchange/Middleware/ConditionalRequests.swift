import HTTPTypes

/// Applies conditions and ranges to a complete response: 304 for If-None-Match, 206 for Range.
///
/// Handlers only set ETag, and Accept-Ranges where ranges make sense. The order is that of RFC 9110, section 13.2.2:
/// If-Match, If-None-Match, then Range with If-Range. The service has no Last-Modified, so conditions on dates never
/// apply.
package struct ConditionalRequests: Middleware {
    package init() {}

    package func outgoing(_ response: inout Response, _ request: Request, _ context: Context) {
        // Most requests have no condition, which is checked first.
        guard response.status == .ok, request.method == .get || request.method == .head, request.isConditional,
            let text = response.fields[.eTag], let current = EntityTag(text)
        else { return }
        // A stream must be closed by the server, so it is not replaced here.
        if case .stream = response.content { return }
        if let condition = EntityTagCondition(.ifMatch, in: request.fields), !condition.matches(current) {
            response = Problem.preconditionFailed(current).response(instance: context.requestID)
        } else if let condition = EntityTagCondition(.ifNoneMatch, in: request.fields), condition.has(current) {
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
    /// Whether the request has a condition or a range.
    fileprivate var isConditional: Bool {
        fields.contains { field in
            field.name == .ifNoneMatch || field.name == .ifMatch || field.name == .range
        }
    }
}

extension Response {
    /// Changes the response to 304 (RFC 9110, section 15.4.5) and removes the fields that describe the content.
    ///
    /// The content stays, because the server sends its length.
    mutating func becomeNotModified() {
        status = .notModified
        for name in [FieldName.contentType, .contentEncoding, .contentLanguage, .contentDisposition] {
            fields[name] = nil
        }
    }
}

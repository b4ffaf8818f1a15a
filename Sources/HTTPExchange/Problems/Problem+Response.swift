import HTTPTypes
package import JSON

extension Problem {
    /// Encodes the problem as `application/problem+json`, with the request id as its instance.
    ///
    /// The order of members is fixed, so that equal problems have equal bytes.
    package func response(instance: String) -> Response {
        var response = Response(status: status, fields: fields, content: .bytes(content(instance: instance)))
        response.fields[.contentType] = MediaType.problem.description
        // 404 and 405 are cacheable by default (RFC 9110, section 15.1), but an instance belongs to one response.
        response.fields[.cacheControl] = "no-store"
        return response
    }

    private func content(instance: String) -> [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.member("type", Problem.type(of: code))
            json.member("title", title)
            json.member("status", status.code)
            json.member("detail", detail)
            json.member("instance", instance)
            if !errors.isEmpty {
                json.array("errors") { json in
                    for fault in errors { fault.write(to: &json) }
                }
            }
            for member in members {
                switch member.value {
                case .integer(let number): json.member(member.name, number)
                case .text(let text): json.member(member.name, text)
                }
            }
        }
        return json.bytes
    }
}

extension Problem.Fault {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            switch place {
            case .pointer(let pointer): json.member("pointer", pointer)
            case .parameter(let name): json.member("parameter", name)
            case .field(let name): json.member("field", name)
            }
            json.member("detail", detail)
        }
    }
}

extension Problem {
    /// Converts a `JSONError` to a problem: 400 if malformed, 422 if a value is not allowed.
    package init(json error: JSONError) {
        self.init(
            error.isMalformed ? .malformedJSON : .invalidContent,
            error.pointer.isEmpty ? error.detail : "\(error.pointer): \(error.detail)",
            errors: [Fault(.pointer(error.pointer), error.detail)]
        )
    }
}

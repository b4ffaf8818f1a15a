import HTTPTypes
import JSON

extension Problem {
    /// The answer: `application/problem+json` with its members in one order, so that equal problems are byte-equal.
    ///
    /// `instance` is the request's id, under which the log knows more.
    package func response(instance: String) -> Response {
        var response = Response(status: status, fields: fields, content: .bytes(content(instance: instance)))
        response.fields[.contentType] = MediaType.problem.description
        // 404 and 405 are cacheable by default (RFC 9110, section 15.1), and an instance is of one answer alone.
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

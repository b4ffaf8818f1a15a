import HTTPExchange
import HTTPTypes
import JSON

extension Context {
    /// The bar of the path; text that can be no bar's name is that of no bar.
    var barID: BarID {
        get throws(BarSessionError) {
            guard let id = BarID(match.parameters.require("id")) else { throw .notFound }
            return id
        }
    }

    /// The client whose share a new bar is part of; nil if its address is not known.
    var clientKey: ClientKey? { client.flatMap { ClientKey($0) } }
}

extension Request {
    /// The key of a creation; its fingerprint is that of the content, byte for byte.
    ///
    /// The key belongs to `principal`, which is that of the context.
    func idempotencyKey(of principal: UInt64?) throws(Problem) -> IdempotencyKey? {
        guard let text = fields[.idempotencyKey] else { return nil }
        guard 1...255 ~= text.utf8.count, fields.values(of: .idempotencyKey).count == 1 else {
            let detail = "has to be one text of 1 to 255 characters"
            throw Problem(
                .malformedRequest,
                "Idempotency-Key \(detail).",
                errors: [.init(.field("Idempotency-Key"), detail)]
            )
        }
        return IdempotencyKey(text, content: content, principal: principal)
    }

    /// What the query of a post of events asks to hear.
    var resultDetail: ResultDetail {
        get throws(Problem) { try resultDetail(allowing: ["results", "explain"]) }
    }

    /// An explanation stands in a result, so asking for it asks for results.
    func resultDetail(allowing names: [String]) throws(Problem) -> ResultDetail {
        guard target.query != nil else { return .last }
        let query = try Query(target, allowing: names)
        let explains = try query.bool("explain") ?? false
        let scope = names.contains("results") ? try query.choice("results", of: ResultDetail.Scope.self) : .all
        if explains, let scope, scope != .all {
            throw .invalidQuery("explain", "explains results; leave `results` away or set it to `all`")
        }
        return ResultDetail(scope: scope ?? (explains ? .all : .last), explains: explains)
    }
}

extension EntityTag {
    /// The tag of a bar at a revision.
    init(revision: Int) {
        self.init(strong: String(revision))
    }

    /// The tag of a bar at a revision as it stands in a field, in one step.
    static func text(ofRevision revision: Int) -> String {
        DecimalText.quoted(revision)
    }
}

extension BarAnswer {
    /// 200 to a write, with the revision as ETag; no cache keeps it unless it says that one may (RFC 9110, sections
    /// 9.3.3 and 9.3.4).
    var response: Response {
        // Appended where they stay: fields that are handed over are copied.
        var response = Response.json(json)
        response.fields.append(.eTag, EntityTag.text(ofRevision: revision))
        return response
    }

    /// 200 to a reading: a cache may keep it, and asks each time whether it still holds.
    var reading: Response {
        var response = response
        response.fields.append(.cacheControl, "no-cache")
        return response
    }

    /// 201 with the place of the new bar.
    var created: Response {
        var response = response
        response.status = .created
        response.fields[.location] = id.map { "/v1/bars/\($0.text)" }
        return response
    }
}

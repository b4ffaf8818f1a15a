package import HTTPExchange
import HTTPTypes
import JSON
package import Primitives

package struct BarHandlers: Sendable {
    let sessions: BarSessions
    private let streams: ClientShares

    package init(_ sessions: BarSessions, streams: ClientShares = ClientShares(limit: 0)) {
        self.sessions = sessions
        self.streams = streams
    }

    /// `POST /v1/bars`: creates a bar.
    package func create(_ request: Request, _ context: Context) throws -> Reply {
        let creation = try BarCreation(json: JSON.parse(request.content))
        let key = try IdempotencyKey(request, context).map { CreationKey($0, content: request.content) }
        return try sessions.create(creation, key: key, memory: context.memory).map { .created($0) }
    }

    /// `GET /v1/bars/{id}?tracks=`: returns the present state.
    package func read(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(request.target, allowing: ["tracks"])
        var listed: Set<[UInt8]> = []
        let names = try query.list("tracks", atMost: 128)?.filter { listed.insert(Array($0.utf8)).inserted }
        return try sessions.read(try context.barID, trackNames: names, memory: context.memory).map { .reading($0) }
    }

    /// `POST /v1/bars/{id}/events?results=&explain=`: applies one event or a list of events.
    package func post(_ request: Request, _ context: Context) throws -> Reply {
        let operation = SubmitEvents(
            id: try context.barID,
            submission: try EventSubmission(json: JSON.parse(request.content)),
            detail: try ResultDetail(request.target),
            conditions: WriteConditions(request.fields),
            memory: context.memory
        )
        return try sessions.perform(operation)
    }

    /// `GET /v1/bars/{id}/events?after=&limit=`: returns a page of the log.
    package func log(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(request.target, allowing: ["after", "limit"])
        let after = try query.integer("after", in: 0...1_000_000_000) ?? 0
        let limit = try query.integer("limit", in: 1...BarLog.promisedEvents) ?? 100
        return try sessions.loadWithLog(try context.barID, context.memory).map { bar in
            let page = try bar.log.page(after: after, limit: limit)
            let json = JSONWriter.object(capacity: 64 + 96 * page.entries.count) { json in
                json.objects("events", page.entries) { $0.members($1) }
                json.member("hasMore", page.hasMore)
            }
            return .json(json, fields: [.cacheControl: "no-store"])
        }
    }

    /// `GET /v1/bars/{id}/states?at=`: returns the state after an event.
    package func state(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(request.target, allowing: ["at"])
        let sequence = try query.requiredInteger("at", in: 0...1_000_000_000)
        return try sessions.state(of: try context.barID, at: sequence, memory: context.memory).map { .reading($0) }
    }

    /// `GET /v1/bars/{id}/stream?commands=`: streams every change.
    package func stream(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(request.target, allowing: ["commands"])
        let id = try context.barID
        let withCommands = try query.bool("commands") ?? false
        if request.method == .head {
            // A stream that no change reaches: the server sends its fields and closes it.
            return try sessions.read(id, memory: context.memory).map { _ in EventStream().response }
        }
        let stream = try sessions.observe(
            id,
            lastEventID: request.fields[.lastEventID],
            withCommands: withCommands,
            account: context.memory.account
        )
        return try stream.map { [streams] in
            try $0.response(in: streams, of: context.clientKey, refusal: .streamShare(streams.limit))
        }
    }

    /// `PUT /v1/bars/{id}/tracks`: sets and removes tracks.
    package func setTracks(_ request: Request, _ context: Context) throws -> Reply {
        let operation = ChangeTracks(
            id: try context.barID,
            changes: try JSON.parse(request.content).trackChanges(),
            conditions: WriteConditions(request.fields),
            memory: context.memory
        )
        return try sessions.perform(operation)
    }

    /// `POST /v1/bars/{id}/fork`: copies a bar.
    package func fork(_ request: Request, _ context: Context) throws -> Reply {
        var ttlSeconds: Int?
        if !request.content.isEmpty {
            let object = try JSON.parse(request.content).object()
            try object.only("ttlSeconds")
            ttlSeconds = try object.optional("ttlSeconds")?.integer(in: BarCreation.ttlRange)
        }
        return try sessions.fork(try context.barID, ttlSeconds: ttlSeconds, memory: context.memory)
            .map { .created($0) }
    }

    /// `DELETE /v1/bars/{id}`: ends a bar.
    package func delete(_ request: Request, _ context: Context) throws -> Reply {
        let operation = DeleteBar(
            id: try context.barID,
            conditions: WriteConditions(request.fields),
            memory: context.memory
        )
        return try sessions.perform(operation)
    }

    /// `POST /v1/bars/apply?explain=`: applies events to a bar that is not stored.
    package func apply(_ request: Request, _ context: Context) throws -> Reply {
        let explains = try Query(request.target, allowing: ["explain"]).bool("explain") ?? false
        let (creation, submission) = try BarCreation.withEvents(json: JSON.parse(request.content))
        let bar = try sessions.apply(submission, to: creation, explaining: explains, memory: context.memory)
        return .now(.json(bar.json))
    }
}

extension Context {
    /// The bar of the path; text that is not an id is reported as not found.
    fileprivate var barID: BarID {
        get throws(BarSessionError) {
            guard let id = BarID(match.parameters.require("id")) else { throw .notFound }
            return id
        }
    }
}

extension EntityTag {
    init(_ tag: BarTag) { self.init(strong: tag.text) }
}

extension Response {
    /// The answer to a write: 200 with its ETag, or 204 if the bar was deleted.
    ///
    /// No cache stores it, because it has no freshness (RFC 9110, sections 9.3.3 and 9.3.4).
    package static func bar(_ bar: EncodedBar?) -> Response {
        guard let bar else { return Response(status: .noContent) }
        var response = Response.json(bar.json)
        response.fields.append(.eTag, bar.tag.quoted)
        return response
    }

    /// The answer to a read: 200, which a cache may store and has to revalidate.
    fileprivate static func reading(_ bar: EncodedBar) -> Response {
        var response = Response.bar(bar)
        response.fields.append(.cacheControl, "no-cache")
        return response
    }

    /// The answer to a creation: 201 with the path of the bar.
    fileprivate static func created(_ bar: EncodedBar) -> Response {
        var response = Response.bar(bar)
        response.status = .created
        response.fields[.location] = bar.id.map { "/v1/bars/\($0.text)" }
        return response
    }
}

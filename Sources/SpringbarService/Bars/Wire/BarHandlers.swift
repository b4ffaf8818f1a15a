package import HTTPExchange
import HTTPTypes
import JSON

/// The operations on bars: each decodes, asks `BarSessions`, and encodes.
package struct BarHandlers: Sendable {
    let sessions: BarSessions
    /// The open streams of each client.
    private let streams: ClientShares

    package init(_ sessions: BarSessions, streams: ClientShares = ClientShares(limit: 0)) {
        self.sessions = sessions
        self.streams = streams
    }

    /// Creates a bar: `POST /v1/bars`.
    package func create(_ request: Request, _ context: Context) throws -> Reply {
        let blueprint = try BarBlueprint(json: JSON.parse(request.content))
        let key = try request.idempotencyKey(of: context.principal)
        let answer = try sessions.create(blueprint, key: key, client: context.clientKey)
        return .now(answer.created)
    }

    /// Tells where a bar stands: `GET /v1/bars/{id}`.
    package func read(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(request.target, allowing: ["tracks"])
        let names = try query.list("tracks", atMost: 128)
        return .now(try sessions.read(try context.barID, trackNames: names).reading)
    }

    /// Applies one event or a batch: `POST /v1/bars/{id}/events`.
    package func post(_ request: Request, _ context: Context) throws -> Reply {
        let id = try context.barID
        let detail = try request.resultDetail
        let submission = try EventSubmission(json: JSON.parse(request.content))
        // Most have no condition, and need no closure that holds the request.
        guard request.fields[.ifMatch] != nil else {
            return .now(try sessions.submit(submission, to: id, detail: detail).response)
        }
        let answer = try sessions.submit(submission, to: id, detail: detail) { revision in
            try request.requireMatch(EntityTag(revision: revision))
        }
        return .now(answer.response)
    }

    /// Tells the kept log: `GET /v1/bars/{id}/events?after=&limit=`.
    package func log(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(request.target, allowing: ["after", "limit"])
        let (places, hasMore) = try sessions.log(
            of: try context.barID,
            after: try query.integer("after", in: 0...1_000_000_000) ?? 0,
            limit: try query.integer("limit", in: 1...BarLog.promisedEvents) ?? 100
        )
        var json = JSONWriter(capacity: 64 + 96 * places.count)
        json.object { json in
            json.array("events") { json in
                for place in places { json.value(place) }
            }
            json.member("hasMore", hasMore)
        }
        return .now(.json(json.bytes, fields: [.cacheControl: "no-store"]))
    }

    /// Tells where a bar stood: `GET /v1/bars/{id}/states?at=`.
    package func state(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(request.target, allowing: ["at"])
        let sequence = try query.requiredInteger("at", in: 0...1_000_000_000)
        return .now(try sessions.state(of: try context.barID, at: sequence).reading)
    }

    /// Tells of every change: `GET /v1/bars/{id}/stream`.
    package func stream(_ request: Request, _ context: Context) throws -> Reply {
        let query = try Query(request.target, allowing: ["commands"])
        let id = try context.barID
        if request.method == .head {
            // Nobody would read the stream, and nobody close it.
            _ = try sessions.read(id)
            var response = EventStream().response
            response.content = .none
            return .now(response)
        }
        let stream = try sessions.observe(
            id,
            lastRevision: request.fields[.lastEventID].flatMap(Int.init),
            withCommands: try query.bool("commands") ?? false
        )
        return .now(try stream.response.limited(to: streams, client: context.client))
    }

    /// Sets and removes tracks: `PUT /v1/bars/{id}/tracks`.
    package func setTracks(_ request: Request, _ context: Context) throws -> Reply {
        let changes = try JSON.parse(request.content).trackChanges()
        let answer = try sessions.change(changes, of: try context.barID) { revision in
            try request.requireMatch(EntityTag(revision: revision), isRequired: true)
        }
        return .now(answer.response)
    }

    /// Copies a bar: `POST /v1/bars/{id}/fork`.
    package func fork(_ request: Request, _ context: Context) throws -> Reply {
        var ttlSeconds: Int?
        if !request.content.isEmpty {
            let object = try JSON.parse(request.content).object()
            try object.only("ttlSeconds")
            ttlSeconds = try object.optional("ttlSeconds")?.integer(in: BarBlueprint.ttlRange)
        }
        return .now(try sessions.fork(try context.barID, ttlSeconds: ttlSeconds, client: context.clientKey).created)
    }

    /// Ends a bar: `DELETE /v1/bars/{id}`.
    package func delete(_ request: Request, _ context: Context) throws -> Reply {
        let id = try context.barID
        if request.fields[.ifMatch] == nil {
            try sessions.delete(id)
        } else {
            try sessions.delete(id) { try request.requireMatch(EntityTag(revision: $0)) }
        }
        return .now(Response(status: .noContent))
    }

    /// Tries events out and stores nothing: `POST /v1/bars/apply`.
    package func apply(_ request: Request, _ context: Context) throws -> Reply {
        let explains = try request.resultDetail(allowing: ["explain"]).explains
        let (blueprint, submission) = try BarBlueprint.withEvents(json: JSON.parse(request.content))
        return .now(.json(try sessions.tryOut(submission, on: blueprint, explaining: explains).json))
    }
}

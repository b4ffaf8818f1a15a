import HTTPExchange
import JSON
package import Primitives

/// The handlers of springs, projection and gestures, which are pure functions of their requests.
///
/// Answers that take longer than microseconds are computed by one worker thread. A cache has those about a spring.
package struct MotionHandlers: Sendable {
    package let designTokens = CurrentDesignTokens()
    let answers: AnswerCache
    let worker: BoundedWorker<[UInt8], Response>

    /// Creates the handlers with a cache of at most `cacheBytes` and a worker with at most `queueLimit` answers.
    package init(cacheBytes: Int = 16 << 20, queueLimit: Int = 16) {
        answers = AnswerCache(limit: cacheBytes)
        worker = BoundedWorker(limit: queueLimit)
    }

    package var usage: (answers: AnswerCache.Usage, work: WorkerLoad) { (answers.usage, worker.load) }

    /// Answers from the cache; otherwise computes the members of the answer at once, or those of a long one on the worker.
    func atOnce(
        _ names: [String],
        unless isLong: @escaping @Sendable (Query) throws -> Bool = { _ in false },
        _ write: @escaping @Sendable (Query, inout JSONWriter) throws -> Void
    ) -> Handler {
        answer(names, isLong: isLong) { query in { try JSONWriter.object { try write(query, &$0) } } }
    }

    /// Answers from the cache; otherwise reads the query at once, and writes the members of the answer on the worker.
    func later(
        _ names: [String],
        _ read: @escaping @Sendable (Query) throws -> @Sendable (inout JSONWriter) throws -> Void
    ) -> Handler {
        answer(names) { query in
            let write = try read(query)
            return { try JSONWriter.object(write) }
        }
    }

    /// Answers like `atOnce` or `later`, with any bytes; `variant` distinguishes the media types of one query.
    func answer(
        _ names: [String],
        variant: String = "",
        type: String = "application/json",
        isLong: @escaping @Sendable (Query) throws -> Bool = { _ in true },
        _ read: @escaping @Sendable (Query) throws -> @Sendable () throws -> [UInt8]
    ) -> Handler {
        { request, context in
            let (tokens, version, _) = designTokens.value
            // Another file of design tokens makes other answers.
            let name = version == 0 ? variant + request.target.raw : "\(version) \(variant)\(request.target.raw)"
            if let answer = answers.answer(for: name) { return .now(answer) }
            let (query, isConstant) = try tokens.read(request.target, names)
            let compute = try read(query)
            let respond = { @Sendable in
                let response = Response.computed(try compute(), type: type, isConstant: isConstant)
                answers.store(response, for: name)
                return response
            }
            return try isLong(query) ? work(named: Array(name.utf8), context, respond) : .now(try respond())
        }
    }

    /// Returns the promise of a response that the worker computes; requests of one name share it.
    func work(named name: [UInt8], _ context: Context, _ respond: @escaping @Sendable () throws -> Response) -> Reply {
        .later {
            do {
                return try await worker.value(named: name, for: context.clientKey) { _ in try respond() }
            } catch is WorkerIsBusy {
                let detail = "The queue of heavy computations, or the half of it for one client, is full."
                throw Problem(.busy, detail, retryAfter: .seconds(1))
            }
        }
    }
}

extension Response {
    /// A response that depends on its target alone, or also on the service's file of design tokens.
    ///
    /// Clients may keep the former for thirty days, after which they see the conventions of a new release.
    static func computed(_ bytes: [UInt8], type: String = "application/json", isConstant: Bool = true) -> Response {
        Response(
            fields: [
                .contentType: type,
                .eTag: EntityTag(hashing: bytes).description,
                .cacheControl: isConstant ? "public, max-age=2592000" : "no-cache",
            ],
            content: .shared(SharedBytes(bytes))
        )
    }
}

import HTTPExchange
import JSON
package import Primitives

/// The handlers of springs, projection and gestures, which are pure functions of their requests.
///
/// Answers that take microseconds are computed immediately. Longer ones are computed by one worker thread. A cache
/// keeps those that depend on a spring under their target.
package struct MotionHandlers: Sendable {
    let answers: AnswerCache
    let worker: BoundedWorker<String, Response>

    /// Creates the handlers with a cache of at most `cacheBytes` and a worker with at most `queueLimit` answers.
    package init(cacheBytes: Int = 16 << 20, queueLimit: Int = 16) {
        answers = AnswerCache(limit: cacheBytes)
        worker = BoundedWorker(limit: queueLimit)
    }

    /// The contents of the cache and the load of the worker, for metrics.
    package var usage: (answers: AnswerCache.Usage, work: WorkerLoad) { (answers.usage, worker.load) }

    /// Answers from the cache; otherwise computes the members of the answer at once.
    func atOnce(
        _ names: [String],
        _ write: @escaping @Sendable (Query, inout JSONWriter) throws -> Void
    ) -> Handler {
        { request, _ in
            let name = request.target.raw
            if let known = answers.answer(for: name) { return .now(known) }
            let query = try Query(request.target, allowing: names)
            let response = Response.computed(try JSONWriter.object { try write(query, &$0) })
            answers.store(response, for: name)
            return .now(response)
        }
    }

    /// Answers from the cache; otherwise reads the query at once, and writes the members of the answer on the worker.
    func later(
        _ names: [String],
        _ read: @escaping @Sendable (Query) throws -> @Sendable (inout JSONWriter) throws -> Void
    ) -> Handler {
        later(names, type: "application/json") { query in
            let write = try read(query)
            return { try JSONWriter.object(write) }
        }
    }

    /// Answers like `later` for JSON, with any bytes; `variant` distinguishes the media types of one query.
    func later(
        _ names: [String],
        variant: String = "",
        type: String,
        _ read: @escaping @Sendable (Query) throws -> @Sendable () throws -> [UInt8]
    ) -> Handler {
        { request, context in
            let name = variant + request.target.raw
            if let known = answers.answer(for: name) { return .now(known) }
            let compute = try read(try Query(request.target, allowing: names))
            return .later {
                do {
                    let response = try await worker.value(named: name, for: context.clientKey) { _ in
                        Response.computed(try compute(), type: type)
                    }
                    answers.store(response, for: name)
                    return response
                } catch is WorkerIsBusy {
                    throw Problem(
                        .busy,
                        "The queue of heavy computations, or the half of it for one client, is full.",
                        retryAfter: .seconds(1)
                    )
                }
            }
        }
    }
}

extension Response {
    /// A response that depends on its target alone.
    ///
    /// Clients may keep it for thirty days, after which they see the conventions of a new release.
    static func computed(_ bytes: [UInt8], type: String = "application/json") -> Response {
        Response(
            fields: [
                .contentType: type,
                .eTag: EntityTag(hashing: bytes).description,
                .cacheControl: "public, max-age=2592000",
            ],
            content: .shared(SharedBytes(bytes))
        )
    }
}

import HTTPExchange
import Motion
import Primitives

/// An answer that depends only on its query.
protocol QueryAnswer: Sendable {
    /// The parameters of the endpoint.
    static var names: [String] { get }

    /// - Throws: `Problem` or `MotionError` for a parameter that is missing, malformed, contradictory or out of range.
    init(_ query: Query) throws

    /// The name under which the answer is cached: the same for equivalent queries.
    var canonical: String { get }

    /// Computes the answer.
    func bytes() throws -> [UInt8]
}

extension MotionHandlers {
    /// Answers from the cache, by the received target or by the canonical query; otherwise computes the answer at once.
    func atOnce<Answer: QueryAnswer>(_ type: Answer.Type, _ request: Request) throws -> Reply {
        if let known = answers.answer(for: request.target.raw) { return .now(known) }
        let answer = try Answer(try Query(request.target, allowing: Answer.names))
        let response = try answers.answer(meaning: answer.canonical) ?? .computed(try answer.bytes())
        store(response, canonical: answer.canonical, raw: request.target.raw)
        return .now(response)
    }

    /// Answers from the cache; otherwise the worker computes the answer.
    ///
    /// `variant` distinguishes the answers of one query in several media types.
    func later<Answer: QueryAnswer>(
        _ type: Answer.Type,
        _ request: Request,
        variant: String = "",
        type mediaType: String = "application/json",
        compute: @escaping @Sendable (Answer) throws -> [UInt8] = { try $0.bytes() }
    ) throws -> Reply {
        let raw = variant + request.target.raw
        if let known = answers.answer(for: raw) { return .now(known) }
        let answer = try Answer(try Query(request.target, allowing: Answer.names))
        let canonical = variant + answer.canonical
        if let known = answers.answer(meaning: canonical) {
            answers.store(known, for: raw)
            return .now(known)
        }
        return .later {
            do {
                let response = try await worker.value(named: canonical) { _ in
                    Response.computed(try compute(answer), type: mediaType)
                }
                store(response, canonical: canonical, raw: raw)
                return response
            } catch is WorkerIsBusy {
                throw Problem(.busy, "The queue of heavy computations is full.", retryAfter: .seconds(1))
            }
        }
    }

    private func store(_ answer: Response, canonical: String, raw: String) {
        answers.store(answer, for: canonical)
        answers.store(answer, for: raw)
    }
}

import HTTPExchange
import Motion

extension MotionHandlers {
    /// The answer to a query: a name that equivalent queries share, and the function that computes it.
    typealias Work = (canonical: String, compute: @Sendable () throws -> [UInt8])

    /// Answers from the cache, by the received target or by the canonical query; otherwise computes the answer at once.
    func atOnce(_ request: Request, allowing names: [String], read: (Query) throws -> Work) throws -> Reply {
        if let answer = answers.answer(for: request.target.raw) { return .now(answer) }
        let (canonical, compute) = try read(try Query(request.target, allowing: names))
        let answer = try answers.answer(meaning: canonical) ?? .computed(try compute())
        store(answer, canonical: canonical, raw: request.target.raw)
        return .now(answer)
    }

    /// Answers from the cache; otherwise the worker computes the answer.
    ///
    /// `variant` distinguishes the answers of one target to different values of Accept.
    func later(
        _ request: Request,
        allowing names: [String],
        variant: String = "",
        type: String = "application/json",
        read: (Query) throws -> Work
    ) throws -> Reply {
        let raw = variant + request.target.raw
        if let answer = answers.answer(for: raw) { return .now(answer) }
        let (name, compute) = try read(try Query(request.target, allowing: names))
        let canonical = variant + name
        if let answer = answers.answer(meaning: canonical) {
            answers.store(answer, for: raw)
            return .now(answer)
        }
        return .later {
            let answer = try await worker.answer(named: canonical) { .computed(try compute(), type: type) }
            store(answer, canonical: canonical, raw: raw)
            return answer
        }
    }

    private func store(_ answer: Response, canonical: String, raw: String) {
        answers.store(answer, for: canonical)
        answers.store(answer, for: raw)
    }
}

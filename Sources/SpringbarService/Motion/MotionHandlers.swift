package import HTTPExchange
import Motion

/// Springs, projection and gestures: pure functions of their requests.
package struct MotionHandlers: Sendable {
    let answers: AnswerCache

    /// - Parameter cacheBytes: what the answers that are kept may take together.
    package init(cacheBytes: Int = 16 << 20) {
        answers = AnswerCache(limit: cacheBytes)
    }

    /// `GET /v1/springs`: one spring in the words of every platform.
    package func spring(_ request: Request, _ context: Context) throws -> Reply {
        try kept(request) { query in
            let query = try SpringQuery(query)
            return ("springs?" + query.canonical, { SpringAnswer(query: query).bytes })
        }
    }

    /// `GET /v1/projection`: where a gesture, or a platform's fling, comes to rest.
    package func projection(_ request: Request, _ context: Context) throws -> Reply {
        .now(.computed(try ProjectionAnswer(request.target).bytes))
    }

    /// Answers from the cache: by the target as it is, by what it means, and else by computing it at once.
    private func kept(
        _ request: Request,
        allowing own: [String] = [],
        read: (Query) throws -> (canonical: String, compute: () throws -> [UInt8])
    ) throws -> Reply {
        if let answer = answers.answer(for: request.target.raw) { return .now(answer) }
        let (canonical, compute) = try read(try Query(request.target, allowing: SpringQuery.names() + own))
        let answer = try answers.answer(for: canonical) ?? .computed(try compute())
        answers.keep(answer, for: canonical)
        answers.keep(answer, for: request.target.raw)
        return .now(answer)
    }
}

import HTTPExchange
import JSON
import Motion
import Primitives

/// An answer that depends only on its query.
protocol QueryAnswer: Sendable {
    static var names: [String] { get }

    /// - Throws: `Problem` or `MotionError` for a parameter that is missing, malformed, contradictory or out of range.
    init(_ query: Query) throws

    func bytes() throws -> [UInt8]
}

/// An answer that is a JSON object.
protocol ObjectAnswer: QueryAnswer {
    func write(_ json: inout JSONWriter) throws
}

extension ObjectAnswer {
    func bytes() throws -> [UInt8] { try JSONWriter.object(write) }
}

extension MotionHandlers {
    /// Answers from the cache; otherwise computes the answer at once.
    func atOnce<Answer: QueryAnswer>(_ type: Answer.Type) -> Handler {
        { request, _ in
            let name = request.target.raw
            if let known = answers.answer(for: name) { return .now(known) }
            let response = Response.computed(try Answer(try Query(request.target, allowing: Answer.names)).bytes())
            answers.store(response, for: name)
            return .now(response)
        }
    }

    /// Answers from the cache, or with the worker; `variant` distinguishes the media types of one query.
    func later<Answer: QueryAnswer>(
        _ type: Answer.Type,
        variant: String = "",
        type mediaType: String = "application/json",
        compute: @escaping @Sendable (Answer) throws -> [UInt8] = { try $0.bytes() }
    ) -> Handler {
        { request, _ in
            let name = variant + request.target.raw
            if let known = answers.answer(for: name) { return .now(known) }
            let answer = try Answer(try Query(request.target, allowing: Answer.names))
            return .later {
                do {
                    let response = try await worker.value(named: name) { _ in
                        Response.computed(try compute(answer), type: mediaType)
                    }
                    answers.store(response, for: name)
                    return response
                } catch is WorkerIsBusy {
                    throw Problem(.busy, "The queue of heavy computations is full.", retryAfter: .seconds(1))
                }
            }
        }
    }
}

extension Response {
    /// A response that depends on its target alone.
    ///
    /// Clients may keep it for thirty days. A new release, which may know one more convention, is then seen without a
    /// new URL.
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

import HTTPExchange
import HTTPTypes
import PictureCoding

/// Replies to a request with the faults that match it.
struct FaultyReply: Sendable {
    let kinds: [Fault.Kind]
    let pathClass: PathClass
    let request: CountedRequest

    /// The reply; `make` is called only if the fault needs the correct one.
    func reply(_ make: () -> Reply) -> Reply {
        var delay = Duration.zero
        var fault: Fault.Kind?
        for kind in kinds {
            if case .latency(let latency) = kind { delay += latency } else { fault = fault ?? kind }
        }
        let reply = fault.map { self.reply($0, make) } ?? make()
        guard delay > .zero else { return reply }
        return .later { [delay] in
            try await Task.sleep(for: delay)
            return try await reply.value()
        }
    }

    private func reply(_ fault: Fault.Kind, _ make: () -> Reply) -> Reply {
        switch fault {
        case .latency, .listShift, .duplicates: return make()
        case .drip(let bytes): return paced(make()) { PacedContent($0, allowance: bytes, drip: bytes, request: $1) }
        case .reset: return paced(make()) { PacedContent($0, allowance: 0, end: .reset, request: $1) }
        case .truncate: return paced(make()) { PacedContent($0, allowance: $0.half, end: .failed, request: $1) }
        case .hangInside: return paced(make()) { PacedContent($0, allowance: $0.half, request: $1) }
        case .empty: return make().map { Response(status: $0.status, fields: $0.fields) }
        case .malformed: return make().map(malformed)
        case .hangBefore:
            return .later {
                // Longer than any client waits: its disconnect or the end of the server cancels the sleep.
                try await Task.sleep(for: .seconds(86_400))
                throw CancellationError()
            }
        case .wrongType:
            let page = "<!doctype html><title>Sign in to Wi-Fi</title><p>Please accept our terms."
            return .now(.text(page, type: "text/html"))
        case .unauthorized: return .now(WireError.invalidToken.response)
        case .forbiddenText: return .now(RateLimit.refusal)
        case .forbiddenJSON:
            let message = "You are not authorized to perform this action"
            return .now(WireError(status: .forbidden, message: message).response)
        case .tooManyRequests(let seconds):
            var response = WireError(status: .tooManyRequests, message: "Rate Limit Exceeded").response
            response.fields[.retryAfter] = seconds.map { String($0) }
            return .now(response)
        case .serverError(let status):
            let page = "<html><h1>\(status)</h1></html>"
            return .now(.text(page, type: "text/html", status: .init(integerLiteral: status)))
        case .redirect(let location): return .now(Response(status: .found, fields: [.location: location]))
        case .gzipBomb: return .now(bomb(gzip, fields: [.contentType: type, .contentEncoding: "gzip"]))
        case .pixelBomb: return .now(bomb(CompressionBomb.pixels(side: 30_000), fields: [.contentType: type]))
        case .endlessBody: return .now(bomb(endless, fields: [.contentType: type]))
        }
    }

    /// The correct answer, its content paced.
    private func paced(
        _ reply: Reply,
        _ content: @escaping @Sendable (RepeatedContent, CountedRequest) -> PacedContent
    ) -> Reply {
        reply.map { [request] response in
            guard let source = response.content.source else { return response }
            var response = response
            response.content = .stream(content(source, request))
            return response
        }
    }

    /// Replaces the content by as many bytes that are not valid.
    private func malformed(_ response: Response) -> Response {
        let length = response.content.length ?? 0
        var broken = response
        if isPicture {
            var random = SeededRandom(seed: UInt64(length))
            broken.content = .bytes((0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        } else if case .bytes(let json) = response.content {
            // Cut in the middle and padded with white space, so that only a parser notices.
            let half = json.prefix(json.count / 2)
            broken.content = .bytes(half + [UInt8](repeating: UInt8(ascii: " "), count: json.count - half.count))
        }
        return broken
    }

    private var isPicture: Bool { pathClass == .images }
    private var type: String { isPicture ? "image/png" : "application/json" }

    private func bomb(_ content: RepeatedContent, fields: Fields) -> Response {
        Response(fields: fields, content: .stream(PacedContent(content, request: request)))
    }

    private var gzip: RepeatedContent {
        isPicture
            ? CompressionBomb.gzip(first: PNG.header(width: 1080, height: 720), filler: 0, last: [])
            : CompressionBomb.gzip(first: [UInt8(ascii: "[")], filler: UInt8(ascii: " "), last: [UInt8(ascii: "]")])
    }

    private var endless: RepeatedContent {
        let filler = [UInt8](repeating: isPicture ? 0 : UInt8(ascii: " "), count: 4096)
        let prefix = isPicture ? PNG.header(width: 1080, height: 720) : [UInt8(ascii: "[")]
        return RepeatedContent(prefix: prefix, block: filler, repeats: nil)
    }
}

extension Content {
    /// The bytes to send at another pace; nil for a stream.
    var source: RepeatedContent? {
        switch self {
        case .none: RepeatedContent()
        case .bytes(let bytes): RepeatedContent(prefix: bytes)
        case .shared, .stream: nil
        }
    }
}

import HTTPExchange
import HTTPTypes
import PictureCoding

/// Answers a request under the faults that meet it.
struct FaultyReply: Sendable {
    let kinds: [Fault.Kind]
    let pathClass: PathClass
    let ticket: Ticket

    /// The reply; `make` is asked for the right one only where the fault leaves something of it.
    func reply(_ make: () throws(WireError) -> Reply) throws(WireError) -> Reply {
        var delay = Duration.zero
        var fault: Fault.Kind?
        for kind in kinds {
            if case .latency(let latency) = kind { delay += latency } else { fault = fault ?? kind }
        }
        let reply = if let fault { try self.reply(fault, make) } else { try make() }
        guard delay > .zero else { return reply }
        return .later { [delay] in
            try await Task.sleep(for: delay)
            switch reply {
            case .now(let response): return response
            case .later(let work): return try await work()
            }
        }
    }

    private func reply(_ fault: Fault.Kind, _ make: () throws(WireError) -> Reply) throws(WireError) -> Reply {
        switch fault {
        case .latency, .listShift, .duplicates:
            return try make()
        case .drip(let bytes):
            return try flowing(make) { _ in .dripping(bytes) }
        case .reset:
            return try flowing(make) { _ in .resetting }
        case .truncate:
            return try flowing(make) { .breaking(after: $0 / 2) }
        case .hangInside:
            return try flowing(make) { .stalling(after: $0 / 2) }
        case .empty:
            return try make().map { Response(status: $0.status, fields: $0.fields) }
        case .malformed:
            return try make().map(malformed)
        case .hangBefore:
            return .later {
                // Longer than anybody waits: the client's leaving or the server's end cancels it.
                try await Task.sleep(for: .seconds(86_400))
                throw CancellationError()
            }
        default:
            return .now(response(fault))
        }
    }

    /// The right answer, its content coming as `flow` says of its length.
    private func flowing(
        _ make: () throws(WireError) -> Reply,
        _ flow: @escaping @Sendable (Int) -> SandboxContent.Flow
    ) throws(WireError) -> Reply {
        try make().map { [ticket] response in
            guard let source = response.content.source else { return response }
            var response = response
            let content = SandboxContent(source, flow: flow(source.count ?? 0), ticket: ticket)
            response.content = .stream(content)
            return response
        }
    }

    /// Keeps the length and the type, not the sense.
    private func malformed(_ response: Response) -> Response {
        let length = response.content.length ?? 0
        var broken = response
        if pathClass == .images {
            var random = SeededRandom(seed: UInt64(length))
            broken.content = .bytes((0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        } else if case .bytes(let json) = response.content {
            // Cut in the middle, and filled up with what JSON ignores, so that only a parser sees it.
            let half = json.prefix(json.count / 2)
            broken.content = .bytes(half + [UInt8](repeating: UInt8(ascii: " "), count: json.count - half.count))
        }
        return broken
    }

    /// An answer in the place of the right one.
    private func response(_ fault: Fault.Kind) -> Response {
        switch fault {
        case .wrongType:
            .text("<!doctype html><title>Sign in to Wi-Fi</title><p>Please accept our terms.", type: "text/html")
        case .unauthorized:
            WireError.invalidToken.response
        case .forbiddenText:
            RateLimit.refusal
        case .forbiddenJSON:
            WireError.response(.forbidden, ["You are not authorized to perform this action"])
        case .tooManyRequests(let seconds):
            tooManyRequests(retryAfter: seconds)
        case .serverError(let status):
            .text("<html><h1>\(status)</h1></html>", type: "text/html", status: .init(integerLiteral: status))
        case .redirect(let location):
            Response(status: .found, fields: [.location: location])
        case .gzipBomb:
            bomb(gzip, fields: [.contentType: type, .contentEncoding: "gzip"])
        case .pixelBomb:
            bomb(Bombs.pixels(side: 30_000), fields: [.contentType: type])
        case .endlessBody:
            bomb(endless, fields: [.contentType: type])
        default:
            preconditionFailure("\(fault) leaves something of the right answer")
        }
    }

    private var isPicture: Bool { pathClass == .images }
    private var type: String { isPicture ? "image/png" : "application/json" }

    private func tooManyRequests(retryAfter seconds: Int?) -> Response {
        var response = WireError.response(.tooManyRequests, ["Rate Limit Exceeded"])
        response.fields[.retryAfter] = seconds.map { String($0) }
        return response
    }

    private func bomb(_ body: VirtualBody, fields: Fields) -> Response {
        Response(fields: fields, content: .stream(SandboxContent(.body(body), ticket: ticket)))
    }

    private var gzip: VirtualBody {
        isPicture
            ? Bombs.gzip(first: PNG.header(width: 1080, height: 720), filler: 0, last: [])
            : Bombs.gzip(first: [UInt8(ascii: "[")], filler: UInt8(ascii: " "), last: [UInt8(ascii: "]")])
    }

    private var endless: VirtualBody {
        let filler = [UInt8](repeating: isPicture ? 0 : UInt8(ascii: " "), count: 4096)
        let prefix = isPicture ? PNG.header(width: 1080, height: 720) : [UInt8(ascii: "[")]
        return VirtualBody(prefix: prefix, block: filler, repeats: nil)
    }
}

extension Content {
    /// The bytes, for another way of sending them; nil for what is a stream already.
    var source: SandboxContent.Source? {
        switch self {
        case .none: .body(VirtualBody())
        case .bytes(let bytes): .body(VirtualBody(prefix: bytes))
        case .shared(let bytes, let range): .shared(bytes, range)
        case .stream: nil
        }
    }
}

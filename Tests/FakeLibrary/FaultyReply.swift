import BuiltInLibrary
import Foundation
import HTTPExchange
import HTTPTypes
import PictureCoding

/// Replies to a request with the faults that match it.
struct FaultyReply: Sendable {
    let faults: [Fault]
    let isPicture: Bool
    let request: CountedRequest

    /// The reply; `make` is called only if the fault needs the correct one.
    func reply(_ make: () -> Reply) -> Reply {
        let reply = faults.first { $0.kind != .latency }.map { self.reply($0, make) } ?? make()
        let delay = faults.reduce(0) { $0 + ($1.milliseconds ?? 0) }
        guard delay > 0 else { return reply }
        return .later {
            try await Task.sleep(for: .milliseconds(delay))
            return try await reply.value()
        }
    }

    private func reply(_ fault: Fault, _ make: () -> Reply) -> Reply {
        switch fault.kind {
        case .latency: return make()
        case .drip:
            let bytes = fault.bytes ?? 1024
            return paced(make(), allowance: bytes, drip: bytes)
        case .reset: return paced(make(), allowance: 0, end: .reset)
        case .truncate: return paced(make(), end: .failed)
        case .hangInside: return paced(make())
        case .empty: return make().map { Response(status: $0.status, fields: $0.fields) }
        case .malformed: return make().map(malformed)
        case .downloadLocations: return make().map { located($0, fault.locations ?? []) }
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
            return .now(WireError(status: 403, message: message).response)
        case .tooManyRequests:
            var response = WireError(status: 429, message: "Rate Limit Exceeded").response
            response.fields[.retryAfter] = fault.retryAfter.map(String.init)
            return .now(response)
        case .serverError:
            let status = fault.status ?? 503
            let page = "<html><h1>\(status)</h1></html>"
            return .now(.text(page, type: "text/html", status: .init(integerLiteral: status)))
        case .answer:
            let content = Array((fault.content ?? "").utf8)
            return .now(.json(content, status: .init(integerLiteral: fault.status ?? 200)))
        case .redirect: return .now(Response(status: .found, fields: [.location: fault.location ?? "/"]))
        case .gzipBomb:
            return unpaced(RepeatedContent(prefix: bomb()), fields: [.contentEncoding: "gzip"])
        case .pixelBomb:
            var picture = PNG.header(width: 30_000, height: 30_000)
            PNG.append("IEND", [], to: &picture)
            return unpaced(RepeatedContent(prefix: picture))
        case .endlessBody: return unpaced(RepeatedContent(prefix: start, filler: filler))
        }
    }

    /// The correct answer, of whose content only `allowance` bytes, by default half of it, are sent at once.
    private func paced(
        _ reply: Reply,
        allowance: Int? = nil,
        end: StreamRead = .pending,
        drip: Int = 0
    ) -> Reply {
        reply.map { [request] response in
            guard let source = response.content.source else { return response }
            let allowance = allowance ?? (source.count ?? 0) / 2
            var response = response
            response.content = .stream(
                PacedContent(source, allowance: allowance, end: end, drip: drip, request: request)
            )
            return response
        }
    }

    /// Replaces the content by as many bytes that are not valid.
    private func malformed(_ response: Response) -> Response {
        let length = response.content.length ?? 0
        var broken = response
        if isPicture {
            broken.content = .bytes((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 0x9E37_79B1 >> 13) })
        } else if case .bytes(let json) = response.content {
            // Cut in the middle and padded with white space, so that only a parser notices.
            let half = json.prefix(json.count / 2)
            broken.content = .bytes(half + [UInt8](repeating: UInt8(ascii: " "), count: json.count - half.count))
        }
        return broken
    }

    /// Returns a list of photos with other addresses for the reports of their downloads; other answers are unchanged.
    private func located(_ response: Response, _ locations: [String]) -> Response {
        guard case .bytes(let bytes) = response.content,
            var photos = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]]
        else { return response }
        for index in photos.indices {
            photos[index]["links"] = ["download_location": locations[index % locations.count]]
        }
        var response = response
        let data = try? JSONSerialization.data(withJSONObject: photos, options: .withoutEscapingSlashes)
        response.content = .bytes(Array(data ?? Data()))
        return response
    }

    /// 64 kB that decompress to 64 MiB: JSON that is valid to its last byte, or no picture.
    private func bomb() -> [UInt8] {
        let deflater = Deflater(level: 9, format: .gzip)
        deflater.append(start)
        let block = [UInt8](repeating: filler, count: 1 << 20)
        for _ in 0..<64 { deflater.append(block) }
        if !isPicture { deflater.append([UInt8(ascii: "]")]) }
        return deflater.finish()
    }

    private var start: [UInt8] { isPicture ? PNG.header(width: 1080, height: 720) : [UInt8(ascii: "[")] }
    private var filler: UInt8 { isPicture ? 0 : UInt8(ascii: " ") }

    private func unpaced(_ content: RepeatedContent, fields: Fields = [:]) -> Reply {
        var response = Response(fields: fields, content: .stream(PacedContent(content, request: request)))
        response.fields[.contentType] = isPicture ? "image/png" : "application/json"
        return .now(response)
    }
}

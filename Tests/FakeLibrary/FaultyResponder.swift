import BuiltInLibrary
import Foundation
import HTTPExchange
import HTTPTypes

/// Answers as the upstream does: counts the request, checks key and hourly limit, and applies the faults.
struct FaultyResponder: Responder {
    let server: LibraryServer

    func respond(to request: Request, memory: RequestMemory) -> Reply {
        guard !request.target.path.hasPrefix("/fake/") else { return control(request) }
        let counted = server.counters.begin(request)
        let library = LibraryResponder(server.library, server.rateLimit)
        let (refusal, limitFields) = library.admit(request)
        let reply: Reply
        if let refusal {
            if refusal.status == .forbidden { server.counters.update { $0.rateLimited += 1 } }
            reply = .now(refusal)
        } else {
            let faults = server.faults.consume(request)
            let faulty = FaultyReply(faults: faults, isPicture: request.isForPicture, request: counted)
            reply = faulty.reply {
                if request.isForPicture, let noise = server.noise {
                    .now(Response(fields: [.contentType: "image/png"], content: .bytes(noise)))
                } else {
                    library.reply(to: request)
                }
            }
        }
        let hasPicture = request.isForPicture && request.method != .head
        return reply.map { response in
            var response = response
            for field in limitFields { response.fields[field.name] = field.value }
            if case .stream = response.content { return response }
            if hasPicture, let source = response.content.source {
                // A stream detects a client that disconnects, which is an aborted download.
                response.content = .stream(PacedContent(source, request: counted))
            } else {
                counted.end(isAborted: false)
            }
            return response
        }
    }

    func response(to refusal: Refusal, of request: Request, memory: RequestMemory?) -> Response {
        // The upstream's answer to a target of more than 8 KB.
        if case .targetTooLong = refusal { return .text("<h1>414</h1>", type: "text/html", status: .uriTooLong) }
        return LibraryResponder(server.library, server.rateLimit).response(to: refusal, of: request, memory: memory)
    }

    /// The controls: `POST /fake/faults` adds one, `DELETE` removes all; counters, targets and ids are read.
    private func control(_ request: Request) -> Reply {
        switch (request.method, request.target.path) {
        case (.post, "/fake/faults"):
            do {
                server.faults.add(try JSONDecoder().decode(Fault.self, from: Data(request.content)))
                return .now(Response(status: .created))
            } catch {
                return .now(.text("\(error)", status: .unprocessableContent))
            }
        case (.delete, "/fake/faults"):
            server.faults.clear()
            return .now(Response(status: .noContent))
        case (.get, "/fake/counters"): return json(server.counts)
        case (.get, "/fake/targets"): return json(server.targets)
        case (.get, "/fake/ids"): return json(server.photoIDs)
        default: return .now(.text("no such control", status: .notFound))
        }
    }

    private func json(_ value: some Encodable) -> Reply {
        .now(.json(Array((try? JSONEncoder().encode(value)) ?? Data())))
    }
}

import BarFeature
package import HTTPExchange
import HTTPTypes
import JSON
import Primitives
package import SharedState
import Synchronization

/// Handlers of health, readiness, metrics, status, the contract and the problems; none requires a token.
package struct OperationHandlers: Sendable {
    private let readiness: Readiness
    private let metrics: PrometheusRegistry
    private let status: @Sendable () -> [UInt8]
    private let store: @Sendable () -> SharedStatus?
    /// All kinds of problems in their order, each with its `type`.
    private let problemIndex: Response
    /// The page that the `type` of a problem links to, by its code.
    private let problems: [String: Response]

    package init(
        readiness: Readiness,
        metrics: PrometheusRegistry,
        status: @escaping @Sendable () -> [UInt8],
        store: @escaping @Sendable () -> SharedStatus? = { nil }
    ) {
        self.readiness = readiness
        self.metrics = metrics
        self.status = status
        self.store = store
        let kinds = Problem.Kind.service
        problemIndex = Self.document { json in
            json.objects("problems", kinds) { $0.members(of: $1, "type", $1.type) }
        }
        let pages = kinds.map { kind in
            (kind.code, Self.document { $0.members(of: kind, "explanation", kind.explanation) })
        }
        problems = Dictionary(uniqueKeysWithValues: pages)
    }

    package func health(_ request: Request, _ context: Context) throws -> Reply { .now(uncached(.text("ok\n"))) }

    /// Answers 200 unless the service drains, or has not connected to its shared store yet.
    ///
    /// It stays ready while the store is unavailable: all replicas lose the store together, and without a ready one a
    /// load balancer would also refuse the requests that need no store.
    package func ready(_ request: Request, _ context: Context) throws -> Reply {
        if readiness.isDraining { throw Refusal.draining }
        guard let store = store(), !store.isAvailable else { return .now(uncached(.text("ready\n"))) }
        if !store.hasConnected { throw BarSessionError.unavailable }
        let seconds = Int((Instant.now - store.since).components.seconds)
        let absence = "Redis has been unavailable for \(seconds) s, requests about bars may get 503"
        return .now(uncached(.text("ready; \(absence)\n")))
    }

    package func metrics(_ request: Request, _ context: Context) throws -> Reply {
        var response = Response(content: .shared(metrics.exposition(at: context.started)))
        response.fields[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
        return .now(uncached(response))
    }

    /// Returns the handler of a form of the contract.
    package func contract(_ path: String) -> Handler {
        let document = CompressedAsset(Asset.required(path), [.xContentTypeOptions: "nosniff"])
        return { request, _ in .now(document.response(to: request)) }
    }

    package func status(_ request: Request, _ context: Context) throws -> Reply { .now(uncached(.json(status()))) }

    package func allProblems(_ request: Request, _ context: Context) throws -> Reply { .now(problemIndex) }

    package func problem(_ request: Request, _ context: Context) throws -> Reply {
        guard let page = problems[context.parameters.require("code")] else { throw Problem.notFound(request.target) }
        return .now(page)
    }

    /// Returns a response that changes only with a release.
    private static func document(_ members: (inout JSONWriter) -> Void) -> Response {
        let bytes = JSONWriter.object(capacity: 8192, members)
        let tag = EntityTag(hashing: bytes)
        return .json(bytes, fields: [.eTag: tag.description, .cacheControl: "public, max-age=86400"])
    }

    /// Returns the response with `no-store`, for values that change at any time.
    private func uncached(_ response: Response) -> Response {
        var response = response
        response.fields[.cacheControl] = "no-store"
        return response
    }
}

extension JSONWriter {
    /// Writes the members of a kind of problems, and one more.
    fileprivate mutating func members(of kind: Problem.Kind, _ name: StaticString, _ text: String) {
        member("code", kind.code)
        member("status", kind.status.code)
        member("title", kind.title)
        member(name, text)
    }
}

/// The readiness of the service: it ends with the beginning of a drain.
package final class Readiness: Sendable {
    private let draining = Atomic(false)

    package init() {}

    package var isDraining: Bool { draining.load(ordering: .acquiring) }

    package func beginDraining() { draining.store(true, ordering: .releasing) }
}

import BarFeature
package import HTTPExchange
import HTTPTypes
import JSON
import Primitives
package import SharedState
import Synchronization

/// Handlers of health, readiness, metrics, status, the contract and the problems.
///
/// None requires a token.
package struct OperationHandlers: Sendable {
    private let readiness: Readiness
    private let metrics: PrometheusRegistry
    private let status: @Sendable () -> ServiceStatus
    private let store: @Sendable () -> SharedStatus?
    private let problems: ProblemPages
    private let contractYAML: CompressedAsset
    private let contractJSON: CompressedAsset

    package init(
        readiness: Readiness,
        metrics: PrometheusRegistry,
        problems: ProblemPages,
        status: @escaping @Sendable () -> ServiceStatus,
        store: @escaping @Sendable () -> SharedStatus? = { nil }
    ) {
        self.readiness = readiness
        self.metrics = metrics
        self.problems = problems
        guard let yaml = Asset("openapi.yaml"), let json = Asset("Clients/openapi.json") else {
            preconditionFailure("the contract is not embedded")
        }
        contractYAML = CompressedAsset(yaml, type: "application/yaml")
        contractJSON = CompressedAsset(json, type: "application/json")
        self.status = status
        self.store = store
    }

    package func health(_ request: Request, _ context: Context) throws -> Reply {
        .now(uncached(.text("ok\n")))
    }

    /// Answers 200 unless the service drains.
    ///
    /// The service stays ready while a shared store is unavailable. All replicas lose the store together, and without a
    /// ready replica a load balancer would also refuse the requests that need no store. The service is not ready before
    /// its first connection to the store.
    package func ready(_ request: Request, _ context: Context) throws -> Reply {
        if readiness.isDraining { throw Refusal.draining }
        guard let store = store(), !store.isAvailable else { return .now(uncached(.text("ready\n"))) }
        if !store.hasConnected { throw BarSessionError.unavailable }
        let seconds = Int((Instant.now - store.since).components.seconds)
        let absence = "Redis has been unavailable for \(seconds) s, requests about bars may get 503"
        return .now(uncached(.text("ready; \(absence)\n")))
    }

    package func metrics(_ request: Request, _ context: Context) throws -> Reply {
        var response = Response(content: .bytes(metrics.exposition()))
        response.fields[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
        return .now(uncached(response))
    }

    package func contractYAML(_ request: Request, _ context: Context) throws -> Reply {
        .now(contractYAML.response(to: request))
    }

    package func contractJSON(_ request: Request, _ context: Context) throws -> Reply {
        .now(contractJSON.response(to: request))
    }

    package func status(_ request: Request, _ context: Context) throws -> Reply {
        .now(uncached(.json(status().json())))
    }

    package func allProblems(_ request: Request, _ context: Context) throws -> Reply {
        .now(problems.index)
    }

    package func problem(_ request: Request, _ context: Context) throws -> Reply {
        guard let code = context.parameters["code"], let page = problems.page(code) else {
            throw Problem.notFound(request.target)
        }
        return .now(page)
    }

    /// Returns the response with `no-store`, for values that change at any time.
    private func uncached(_ response: Response) -> Response {
        var response = response
        response.fields[.cacheControl] = "no-store"
        return response
    }
}

/// The readiness of the service: it ends with the beginning of a drain.
package final class Readiness: Sendable {
    private let draining = Atomic(false)

    package init() {}

    package var isDraining: Bool { draining.load(ordering: .acquiring) }

    /// Begins the drain.
    package func beginDraining() {
        draining.store(true, ordering: .releasing)
    }
}

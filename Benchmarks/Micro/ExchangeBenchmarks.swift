import Benchmark
import HTTPExchange
import HTTPTypes
import Logging

/// The code between the server and an empty handler.
func exchangeBenchmarks() {
    Benchmark("exchange: match a route") { benchmark in
        let router = Router(routes: Table.routes)
        let target = Target("/v1/bars/b7f2c1de90ab4f6e8d3c5a7b9e1f2d4c/events?results=none")
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            blackHole(router.match(.post, target))
        }
    }

    Benchmark("exchange: request to reply, bare") { benchmark in
        try respond(benchmark, middleware: { _ in [] })
    }

    Benchmark("exchange: request to reply, with all middleware") { benchmark in
        try respond(benchmark) { router in
            let numbers = UniqueNumbers()
            return [
                RequestIdentity(makeSpanID: { numbers.next() }), AccessLog(),
                RequestMetrics(router: router), ConditionalRequests(),
            ]
        }
    }
}

/// Answers one request repeatedly.
private func respond(_ benchmark: Benchmark, middleware: (Router) -> [any Middleware]) throws {
    let router = Router(routes: Table.routes)
    let numbers = UniqueNumbers()
    let application = Application(
        router: router,
        middleware: middleware(router),
        logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() },
        makeRequestID: { numbers.nextID() },
        problem: { _ in nil }
    )
    let request = Request(
        method: .post,
        target: Target("/v1/bars/b7f2c1de90ab4f6e8d3c5a7b9e1f2d4c/events"),
        fields: [.accept: "*/*", .contentType: "application/json"],
        content: Array(#"{"type":"expand","on":true}"#.utf8)
    )
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
        blackHole(application.respond(to: request))
    }
}

/// As many routes as the service has, with the same shapes.
private enum Table {
    static let routes: [Route] = [
        .post("/v1/bars", done), .get("/v1/bars/{id}", done), .delete("/v1/bars/{id}", done),
        .post("/v1/bars/{id}/events", query: .read, done), .get("/v1/bars/{id}/events", query: .read, done),
        .get("/v1/bars/{id}/states", query: .read, done), .get("/v1/bars/{id}/stream", done),
        .put("/v1/bars/{id}/tracks", done), .post("/v1/bars/{id}/fork", done), .post("/v1/bars/apply", done),
        .get("/v1/springs", query: .read, done), .get("/v1/springs/curve", query: .read, done),
        .get("/v1/springs/linear", query: .read, done), .get("/v1/springs/compare", query: .read, done),
        .get("/v1/projection", query: .read, done), .get("/v1/rubberband", query: .read, done),
        .get("/v1/photos", query: .read, done), .get("/v1/photos/{id}", query: .read, done),
        .get("/v1/photos/{id}/image", query: .read, done), .get("/v1/photos/{id}/image/{variant}", done),
        .get("/v1/search/photos", query: .read, done), .get("/healthz", done), .get("/metrics", done),
    ]

    private static let done: Handler = { _, context in
        .now(.json(Array(context.parameters.require("id").utf8)))
    }
}

package import HTTPExchange

/// The whole service on one screen: every path, who may ask, what it reads and what it answers with.
///
/// Not in the table because it follows from it: HEAD wherever there is GET, OPTIONS everywhere, 404, 405, 406, 415, and
/// 400 for a query on a path that takes none. A test compares the table with openapi.yaml.
package struct Routes: Sendable {
    private let motion: MotionHandlers
    private let operations: OperationHandlers
    private let playground: PlaygroundHandlers

    package init(
        motion: MotionHandlers,
        operations: OperationHandlers,
        playground: PlaygroundHandlers = PlaygroundHandlers()
    ) {
        self.motion = motion
        self.operations = operations
        self.playground = playground
    }

    /// The table.
    package var table: [Route] {
        [
            // Motion: pure functions, kept by their query.
            .get("/v1/springs", query: .read, motion.spring),
            .get("/v1/projection", query: .read, motion.projection),

            // Operations: what runs the service. Never behind a token.
            .get("/healthz", access: .open, produces: [.plainText], operations.health),
            .get("/readyz", access: .open, produces: [.plainText], operations.ready),
            .get("/metrics", access: .open, produces: [.plainText], operations.metrics),
            .get("/openapi.yaml", access: .open, produces: [.yaml], operations.contract),
            .get("/v1/status", access: .open, operations.status),
            .get("/problems/{code}", access: .open, operations.problem),

            // The playground: a page, and the files that it asks for.
            .get("/", access: .open, query: .ignored, produces: [.html], playground.page),
            .get("/playground/{file}", access: .open, query: .ignored, produces: [], playground.file),
            .get("/playground/{part}/{file}", access: .open, query: .ignored, produces: [], playground.partFile),
        ]
    }
}

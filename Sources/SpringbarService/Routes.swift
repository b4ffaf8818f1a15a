package import BarFeature
package import HTTPExchange
package import MotionFeature
package import Photos

/// The routes of the service: path, access, use of the query, media types and handler.
///
/// The router derives the rest: HEAD for each GET, OPTIONS, 404, 405, 406, 415, and 400 for a query on a path without
/// parameters. A test compares the table with openapi.yaml.
package enum Routes {
    package static func table(
        bars: BarHandlers,
        motion: MotionHandlers,
        photos: PhotoHandlers,
        operations: OperationHandlers,
        playground: PlaygroundHandlers = PlaygroundHandlers()
    ) -> [Route] {
        let dropIn = DropInHandlers(photos.service)
        // Signed links of pictures need no token, because an <img> cannot send one.
        let link = Route.Access.openIf(photos.isSigned)
        // Resources with a page for browsers besides their JSON.
        let paged: [MediaType] = [.json, .html]
        return [
            // Bars: sessions of the AirBar controller.
            .post("/v1/bars", bars.create),
            .post("/v1/bars/apply", query: .read, bars.apply),
            .get("/v1/bars/{id}", query: .read, bars.read),
            .delete("/v1/bars/{id}", bars.delete),
            .get("/v1/bars/{id}/events", query: .read, bars.log),
            .post("/v1/bars/{id}/events", query: .read, bars.post),
            .get("/v1/bars/{id}/states", query: .read, bars.state),
            .get("/v1/bars/{id}/stream", access: .open, query: .read, produces: [.eventStream], bars.stream),
            .put("/v1/bars/{id}/tracks", bars.setTracks),
            .post("/v1/bars/{id}/fork", bars.fork),

            // Motion: pure functions; answers are cached by their query.
            .get("/v1/springs", query: .read, motion.spring),
            .get("/v1/springs/curve", query: .read, motion.curve),
            .get("/v1/springs/linear", query: .read, produces: [.json, .css], motion.linear),
            .get("/v1/springs/export", query: .read, produces: [.plainText], motion.export),
            .get("/v1/springs/retarget", query: .read, motion.retarget),
            .get("/v1/springs/compare", query: .read, motion.compare),
            .get("/v1/springs/plot.svg", query: .read, produces: [.svg], motion.plot),
            .get("/v1/springs/plot.png", query: .read, produces: [.png], motion.plotPNG),
            .get("/v1/springs/presets", query: .read, motion.presets),
            .get("/v1/springs/conventions", query: .read, motion.conventions),
            .get("/v1/design-tokens", motion.listDesignTokens),
            .post("/v1/design-tokens", query: .read, motion.writeDesignTokens),
            .get("/v1/design-tokens/{name}", motion.designToken),
            .get("/v1/projection", query: .read, motion.projection),
            .get("/v1/rubberband", query: .read, motion.rubberband),
            .get("/v1/relative-velocity", query: .read, motion.relativeVelocity),
            .post("/v1/gestures/pause", motion.pause),
            .post("/v1/gestures/force-button", motion.forceButton),
            .post("/v1/gestures/calculator-button", motion.calculatorButton),
            .post("/v1/gestures/drawer", motion.drawer),
            .post("/v1/gestures/pip", motion.pictureInPicture),
            .post("/v1/gestures/rotation", motion.rotation),

            // Photos: feeds, details and images.
            .get("/v1/photos", query: .read, photos.feed),
            .get("/v1/search/photos", query: .read, photos.search),
            .get("/v1/topics/{slug}/photos", query: .read, photos.topic),
            .get("/v1/collections/{id}/photos", query: .read, photos.collection),
            .get("/v1/photos/{id}", query: .read, photos.photo),
            .get("/v1/photos/{id}/image", access: link, query: .read, produces: [.anyImage], photos.image),
            .get("/v1/photos/{id}/image/{variant}", access: link, query: .read, produces: [.anyImage], photos.variant),
            .get("/v1/photos/{id}/placeholder.png", access: link, query: .read, produces: [.png], photos.placeholder),
            .post("/v1/photos/{id}/download", photos.download),
            .post("/v1/photos/prefetch", photos.prefetch),

            // The API of the photo library, for its existing clients.
            .get("/unsplash/photos", query: .ignored, dropIn.list),
            .get("/unsplash/photos/random", query: .ignored, dropIn.random),
            .get("/unsplash/photos/{id}", query: .ignored, dropIn.document),
            .get("/unsplash/photos/{id}/statistics", query: .ignored, dropIn.document),
            .get("/unsplash/photos/{id}/download", query: .ignored, dropIn.download),
            // unsplash-js appends the path of a `download_location` to its own address, which ends with /unsplash.
            .get("/unsplash/unsplash/photos/{id}/download", query: .ignored, dropIn.download),
            .get("/unsplash/search/photos", query: .ignored, dropIn.list),
            .get("/unsplash/search/collections", query: .ignored, dropIn.list),
            .get("/unsplash/search/users", query: .ignored, dropIn.list),
            .get("/unsplash/topics", query: .ignored, dropIn.list),
            .get("/unsplash/topics/{slug}", query: .ignored, dropIn.document),
            .get("/unsplash/topics/{slug}/photos", query: .ignored, dropIn.list),
            .get("/unsplash/collections", query: .ignored, dropIn.list),
            .get("/unsplash/collections/{id}", query: .ignored, dropIn.document),
            .get("/unsplash/collections/{id}/photos", query: .ignored, dropIn.list),
            .get("/unsplash/users/{username}", query: .ignored, dropIn.document),
            .get("/unsplash/users/{username}/photos", query: .ignored, dropIn.list),

            // Operations: without a token, and answered on the reserve of connections.
            .get("/healthz", access: .operation, produces: [.plainText], operations.health),
            .get("/readyz", access: .operation, produces: [.plainText], operations.ready),
            .get("/metrics", access: .operation, produces: [.plainText], operations.metrics),
            .get("/openapi.yaml", access: .operation, produces: [.yaml], operations.contract("openapi.yaml")),
            .get("/openapi.json", access: .operation, operations.contract("Clients/openapi.json")),
            .get("/v1/status", access: .operation, produces: paged, playground.reference(or: operations.status)),
            .get("/problems", access: .operation, produces: paged, playground.reference(or: operations.allProblems)),
            .get("/problems/{code}", access: .operation, produces: paged, playground.reference(or: operations.problem)),

            // The playground, the reference and the page that follows a bar, with their files.
            .get("/", access: .operation, query: .ignored, produces: [.html], playground.index),
            .get("/playground/{name}", access: .open, query: .ignored, produces: [], playground.file),
            .get("/docs", access: .open, query: .ignored, produces: [.html], playground.page("docs.html")),
            // Browsers ask for it when they show an answer that is not a page, and Safari shows no SVG as an icon.
            .get("/favicon.ico", access: .open, query: .ignored, produces: [], playground.page("favicon.ico")),
            .get("/watch/{id}", access: .open, query: .ignored, produces: [.html], playground.page("watch.html")),

            // The JavaScript client, for pages.
            .get("/client/{name}", access: .open, query: .ignored, produces: [], playground.client),
        ]
    }
}

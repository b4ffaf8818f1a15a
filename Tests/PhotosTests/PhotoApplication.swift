import HTTPExchange
import JSON
import Logging
import Photos

extension Application {
    /// Builds the routes of photos, in process.
    ///
    /// Its middleware reserves memory, makes responses 304 or partial, and requires one of the tokens if there are any.
    init(around photos: PhotoHandlers, tokens: [String] = []) throws {
        let access: [any Middleware] = tokens.isEmpty ? [] : [BearerTokens(tokens: tokens, prefixes: ["/v1/"])]
        let steps: [any Middleware] = [
            ResponseBudget(), ConditionalRequests(), UnknownDropInPaths(below: "/unsplash/"),
        ]
        try self.init(around: photos, middleware: access + steps)
    }

    init(around photos: PhotoHandlers, middleware: [any Middleware]) throws {
        self.init(
            router: Router(routes: photos.routes + DropInHandlers(photos.service).routes),
            middleware: middleware,
            logger: .silent,
            makeRequestID: { "request" },
            problem: { error in
                switch error {
                case let error as JSONError: Problem(json: error)
                case let error as UpstreamError: Problem(error)
                default: nil
                }
            }
        )
    }
}

extension Logger {
    /// A logger without output.
    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

extension PhotoHandlers {
    private var link: Route.Access { .openIf(isSigned) }

    /// The routes of photos, as in the table of the service.
    fileprivate var routes: [Route] {
        [
            .get("/v1/photos", query: .read, feed),
            .get("/v1/search/photos", query: .read, search),
            .get("/v1/topics/{slug}/photos", query: .read, topic),
            .get("/v1/collections/{id}/photos", query: .read, collection),
            .get("/v1/photos/{id}", query: .read, photo),
            .get("/v1/photos/{id}/image", access: link, query: .read, produces: [.anyImage], image),
            .get("/v1/photos/{id}/image/{variant}", access: link, query: .read, produces: [.anyImage], variant),
            .get("/v1/photos/{id}/placeholder.png", access: link, query: .read, produces: [.png], placeholder),
            .post("/v1/photos/{id}/download", download),
            .post("/v1/photos/prefetch", prefetch),
        ]
    }
}

extension DropInHandlers {
    /// The routes for existing clients of the photo library, as in the table of the service.
    fileprivate var routes: [Route] {
        [
            .get("/unsplash/photos", query: .ignored, list),
            .get("/unsplash/photos/random", query: .ignored, random),
            .get("/unsplash/photos/{id}", query: .ignored, document),
            .get("/unsplash/photos/{id}/statistics", query: .ignored, document),
            .get("/unsplash/photos/{id}/download", query: .ignored, download),
            .get("/unsplash/search/photos", query: .ignored, list),
            .get("/unsplash/search/collections", query: .ignored, list),
            .get("/unsplash/search/users", query: .ignored, list),
            .get("/unsplash/topics", query: .ignored, list),
            .get("/unsplash/topics/{slug}", query: .ignored, document),
            .get("/unsplash/topics/{slug}/photos", query: .ignored, list),
            .get("/unsplash/collections", query: .ignored, list),
            .get("/unsplash/collections/{id}", query: .ignored, document),
            .get("/unsplash/collections/{id}/photos", query: .ignored, list),
            .get("/unsplash/users/{username}", query: .ignored, document),
            .get("/unsplash/users/{username}/photos", query: .ignored, list),
        ]
    }
}

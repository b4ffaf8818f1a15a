import HTTPExchange

extension SandboxLibrary {
    /// The whole table: the upstream's paths, the image host's, and the switches.
    static func router(library: LibraryState, gallery: Gallery, counters: Counters) -> Router {
        let lists = ListHandlers(library: library)
        let photos = PhotoHandlers(library: library, counters: counters)
        let images = ImageHandlers(catalogue: library.catalogue, gallery: gallery, counters: counters)
        let control = ControlHandlers(library: library, counters: counters)
        let routes = [
            wire("/photos", lists.feed),
            wire("/photos/random", photos.random),
            wire("/photos/{id}", photos.detail),
            wire("/photos/{id}/download", photos.download),
            wire("/search/photos", lists.search),
            wire("/topics", lists.topics),
            wire("/topics/{slug}", lists.topic),
            wire("/topics/{slug}/photos", lists.topicPhotos),
            wire("/collections/{id}/photos", lists.collectionPhotos),
            wire("/users/{username}/photos", lists.userPhotos),

            wire("/images/{file}", images.picture),
            wire("/images/small/{file}", images.small),

            .get("/sandbox/counters", access: .open, control.counts),
            .delete("/sandbox/counters", access: .open, control.resetCounts),
            .get("/sandbox/faults", access: .open, control.faults),
            .post("/sandbox/faults", access: .open, control.addFault),
            .delete("/sandbox/faults", access: .open, control.clearFaults),
        ]
        do {
            return try Router(routes: routes)
        } catch {
            preconditionFailure("the table above is constant: \(error)")
        }
    }

    /// A path of the upstream, which looks neither at Accept nor at parameters that it does not know.
    private static func wire(_ template: String, _ handler: @escaping Handler) -> Route {
        .get(template, access: .open, query: .ignored, produces: [], handler)
    }
}

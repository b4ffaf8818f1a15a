package import HTTPExchange
import MotionFeature
import PhotoFeature

/// The playground and its files, as they were built in.
package struct PlaygroundHandlers: Sendable {
    private let files: [String: CompressedAsset]
    private let publicURL: String?

    /// Prepares an answer for every file below `Playground/`.
    ///
    /// - Parameters:
    ///   - imageSources: other origins of pictures, such as `images.unsplash.com`; needed if image URLs of the service
    ///     redirect to them.
    ///   - publicURL: the base of absolute links; nil for the Host of a request.
    package init(imageSources: [String] = [], publicURL: String? = nil) {
        self.publicURL = publicURL
        files = CompressedAsset.all(below: "Playground/", rules: PlaygroundSecurity.fields(imageSources: imageSources))
    }

    /// Prepares the answers for the image mode: with `redirect`, image URLs of the service redirect to the image hosts.
    ///
    /// A host without a scheme matches the page's scheme and https.
    package init(_ configuration: Configuration) {
        self.init(
            imageSources: configuration.photos.imageMode == .redirect ? configuration.photos.imageHosts : [],
            publicURL: configuration.server.publicURL?.description
        )
    }

    /// `GET /`: the page, with a preview of the spring if its address has one.
    package func page(_ request: Request, _ context: Context) throws -> Reply {
        let base = request.base(publicURL: publicURL)
        guard let page = files["index.html"], let preview = SpringPreview(request.target, base: base) else {
            return try reply("index.html", request)
        }
        return .now(page.response(to: request, replacing: SpringPreview.mark, with: preview.elements))
    }

    /// `GET /playground/{name}`: a script, a style sheet or the icon.
    package func file(_ request: Request, _ context: Context) throws -> Reply {
        try reply(context.parameters.require("name"), request)
    }

    /// `GET /docs`: the reference.
    package func docs(_ request: Request, _ context: Context) throws -> Reply {
        try reply("docs.html", request)
    }

    /// `GET /watch/{id}`: a page that follows a bar.
    package func watch(_ request: Request, _ context: Context) throws -> Reply {
        try reply("watch.html", request)
    }

    /// Adds a page to an operation: browsers, which accept HTML, get the reference; programs get `handler`'s JSON.
    package func reference(or handler: @escaping Handler) -> Handler {
        { request, context in
            let isPage = try request.preferred(of: [.json, .html]) == .html
            // The handler decides in both cases whether there is anything at this path.
            let json = try handler(request, context)
            return (isPage ? try docs(request, context) : json).map { $0.varying(by: .accept) }
        }
    }

    private func reply(_ name: String, _ request: Request) throws -> Reply {
        guard let file = files[name] else { throw Problem.notFound(request.target) }
        return .now(file.response(to: request))
    }
}

package import HTTPExchange
import MotionFeature
import Photos

/// The playground and the JavaScript client, as they were built in.
package struct PlaygroundHandlers: Sendable {
    private let files: [String: CompressedAsset]
    private let client: [String: CompressedAsset]
    private let publicURL: String?

    /// Prepares an answer for every file; without a configuration the defaults apply.
    package init(_ configuration: Configuration? = nil) {
        publicURL = configuration?.server.publicURL?.description
        let photos = configuration?.photos
        // Image URLs of the service redirect to these hosts. Without a scheme they match the page's scheme and https.
        let imageSources = photos?.imageMode == .redirect ? photos?.imageHosts ?? [] : []
        files = CompressedAsset.all(below: "Playground/", rules: Self.rules(imageSources))
        // Pages of all origins may import a module, which tells a page whose requests are not allowed how to allow them.
        let clientRules: Fields = [
            .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "cross-origin", .accessControlAllowOrigin: "*",
        ]
        client = CompressedAsset.all(below: "Clients/js/", rules: clientRules)
    }

    /// `GET /`: the page, with a preview of the spring if its address has one.
    package func index(_ request: Request, _ context: Context) throws -> Reply {
        let base = request.base(publicURL: publicURL)
        guard let page = files["index.html"], let preview = SpringPreview(request.target, base: base) else {
            return try reply(files["index.html"], request)
        }
        return .now(page.response(to: request, replacing: SpringPreview.placeholder, with: preview.elements))
    }

    /// `GET /playground/{name}`: a script, a style sheet or the icon.
    package func file(_ request: Request, _ context: Context) throws -> Reply {
        try reply(files[context.parameters.require("name")], request)
    }

    package func page(_ name: String) -> Handler {
        { request, _ in try reply(files[name], request) }
    }

    /// `GET /client/{name}`: a module of the client or its types.
    package func client(_ request: Request, _ context: Context) throws -> Reply {
        try reply(client[context.parameters.require("name")], request)
    }

    /// Adds a page to an operation: browsers, which accept HTML, get the reference; programs get `handler`'s JSON.
    package func reference(or handler: @escaping Handler) -> Handler {
        { request, context in
            let isPage = try request.preferred(of: [.json, .html]) == .html
            // The handler decides in both cases whether there is anything at this path.
            let json = try handler(request, context)
            return isPage ? try reply(files["docs.html"], request) : json
        }
    }

    private func reply(_ file: CompressedAsset?, _ request: Request) throws -> Reply {
        guard let file else { throw Problem.notFound(request.target) }
        return .now(file.response(to: request))
    }

    /// Returns the security fields: a browser loads only content of this service and of other `imageSources`.
    static func rules(_ imageSources: [String] = []) -> Fields {
        // Scripts and styles only from files, so that no injected text can become either. Placeholders are `data:`
        // images. With `require-trusted-types-for` the browser refuses markup made from text.
        let policy = [
            "default-src 'self'", (["img-src 'self' data:"] + imageSources).joined(separator: " "),
            "object-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        ]
        return [
            .contentSecurityPolicy: policy.joined(separator: "; "), .xContentTypeOptions: "nosniff",
            .referrerPolicy: "no-referrer",
            // The page uses none of these features, so an injected script cannot use them either.
            .permissionsPolicy: "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
            .crossOriginOpenerPolicy: "same-origin", .crossOriginResourcePolicy: "same-origin",
        ]
    }
}

package import HTTPExchange

/// The JavaScript client as it was built in: modules that pages import, and their types.
package struct ClientHandlers: Sendable {
    private let files: [String: CompressedAsset]

    /// Prepares an answer for every file below `Clients/js/`.
    package init() {
        // Pages of other origins may import a module; CORS determines the requests that they may send.
        let rules: Fields = [.xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "cross-origin"]
        files = CompressedAsset.all(below: "Clients/js/", rules: rules)
    }

    /// `GET /client/{name}`: a module or its types.
    package func file(_ request: Request, _ context: Context) throws -> Reply {
        guard let file = files[context.parameters.require("name")] else { throw Problem.notFound(request.target) }
        return .now(file.response(to: request))
    }
}

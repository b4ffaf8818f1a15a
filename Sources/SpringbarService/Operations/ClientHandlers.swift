package import HTTPExchange

/// The JavaScript client as it was built in: a module that pages import, and its types.
package struct ClientHandlers: Sendable {
    private let moduleFile: CompressedAsset
    private let typesFile: CompressedAsset

    /// Prepares both files.
    ///
    /// - Parameters:
    ///   - module: the ES module.
    ///   - types: its TypeScript declarations.
    package init(module: Asset, types: Asset) {
        // Pages of other origins may import the module; CORS determines the requests that they may send.
        let rules: Fields = [.xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "cross-origin"]
        moduleFile = CompressedAsset(module, type: "text/javascript; charset=utf-8", rules: rules)
        typesFile = CompressedAsset(types, type: "application/typescript; charset=utf-8", rules: rules)
    }

    /// Prepares the two files that are built in.
    package init() {
        guard let module = Asset("Clients/js/springbar.js"), let types = Asset("Clients/js/springbar.d.ts") else {
            preconditionFailure("the client is not embedded")
        }
        self.init(module: module, types: types)
    }

    /// Sends the module: `GET /client/springbar.js`.
    package func module(_ request: Request, _ context: Context) throws -> Reply {
        .now(moduleFile.response(to: request))
    }

    /// Sends the types: `GET /client/springbar.d.ts`.
    package func types(_ request: Request, _ context: Context) throws -> Reply {
        .now(typesFile.response(to: request))
    }
}

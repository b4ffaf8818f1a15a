import HTTPExchange

/// A file of the playground in the two forms that it is sent in.
struct PlaygroundFile: Sendable {
    private let plain: Response
    private let compressed: Response

    /// Prepares both forms of an asset.
    ///
    /// - Parameters:
    ///   - asset: the bytes.
    ///   - type: its media type.
    ///   - rules: what a browser may do with it.
    init(_ asset: Asset, type: String, rules: Fields) {
        var response = asset.response(type: type)
        // The files are written for each other. A page of one version must never run with a script of another, so
        // nothing is used without asking whether it is still the same; the answer to that is a 304 without content.
        response.fields[.cacheControl] = "no-cache"
        response.vary(by: .acceptEncoding)
        for field in rules { response.fields[field.name] = field.value }
        plain = response

        // Text shrinks to a third, and a page of many small files is on the screen that much sooner.
        let shorter = asset.withBytes(Gzip.compressed)
        response.fields[.contentEncoding] = "gzip"
        // Other bytes, so another strong tag (RFC 9110, section 8.8.3.3).
        response.fields[.eTag] = EntityTag(hashing: shorter).description
        response.content = .shared(SharedAnswer(shorter), 0..<shorter.count)
        compressed = response
    }

    /// The form that the client reads best.
    func response(to request: Request) -> Response {
        request.acceptsGzip ? compressed : plain
    }
}

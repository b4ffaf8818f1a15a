import HTTPExchange
import HTTPTypes
import Primitives

/// The image host: any size of any picture, without a key.
struct ImageHandlers: Sendable {
    let catalogue: Catalogue
    let pictures: PictureStore
    let counters: RequestCounters

    /// `GET /images/{file}` with `w`, `h`, `dpr`, `fit` and `q`.
    ///
    /// Every picture is a PNG, whatever `fm`: the upstream chooses the format itself, and clients look at Content-Type.
    func picture(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let query = WireQuery(request.target)
        if query["ixid"] == nil { counters.update { $0.imagesWithoutIxid += 1 } }
        let photo = try photo(context)
        let size = PictureSize(
            of: photo,
            width: query.number("w", atLeast: 1),
            height: query.number("h", atLeast: 1),
            dpr: query.number("dpr") ?? 1,
            fit: query["fit"]
        )
        // A low quality shows the steps of its colours.
        return reply(PictureStore.Key(photo: photo, size: size, dithers: (query.number("q") ?? 75) >= 50))
    }

    /// `GET /images/small/{file}`: 400 pixels wide, without any `ixid`; the upstream has it in a bucket elsewhere.
    func small(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let photo = try photo(context)
        let size = PictureSize(of: photo, width: 400, height: nil, dpr: 1, fit: "max")
        return reply(PictureStore.Key(photo: photo, size: size, dithers: true))
    }

    private func photo(_ context: Context) throws(WireError) -> CataloguePhoto {
        try catalogue.photo(file: context.parameters.require("file")).orNotFound("Photo")
    }

    private func reply(_ key: PictureStore.Key) -> Reply {
        if let cached = pictures.cached(key) { return .now(response(cached)) }
        return .later { [self] in
            do {
                return response(try await pictures.draw(key))
            } catch is WorkerIsBusy {
                var response = Response.text("Too many pictures are being drawn", status: .serviceUnavailable)
                response.fields[.retryAfter] = "2"
                response.fields[.cacheControl] = "no-store"
                return response
            }
        }
    }

    private func response(_ picture: [UInt8]) -> Response {
        Response(
            fields: [.contentType: "image/png", .cacheControl: "public, max-age=31536000"],
            content: .bytes(picture)
        )
    }
}

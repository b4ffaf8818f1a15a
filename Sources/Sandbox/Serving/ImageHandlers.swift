import HTTPExchange
import HTTPTypes
import Primitives

/// The image host: any size of any picture, for everybody.
struct ImageHandlers: Sendable {
    let catalogue: Catalogue
    let gallery: Gallery
    let counters: Counters

    /// `GET /images/{file}`: `w`, `h`, `dpr`, `fit` and `q` are understood.
    ///
    /// `fm` is not: every picture is a PNG and says so in its Content-Type. A client of the upstream has to look there
    /// anyway, since with `auto=format` the host sends what it likes best.
    func picture(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let query = WireQuery(request.target)
        if query["ixid"] == nil { counters.note { $0.imagesWithoutIxid += 1 } }
        let photo = try photo(context)
        let size = PictureSize(
            of: photo,
            width: query.number("w").flatMap(Self.positive),
            height: query.number("h").flatMap(Self.positive),
            dpr: query.number("dpr") ?? 1,
            fit: query["fit"]
        )
        // A low quality may show the steps of its colours; that is what a low quality of this painter looks like.
        return reply(photo, Gallery.Key(photo: photo.number, size: size, dithers: (query.number("q") ?? 75) >= 50))
    }

    /// `GET /images/small/{file}`: what the upstream keeps in a bucket elsewhere, 400 pixels wide, without any `ixid`.
    func small(_ request: Request, _ context: Context) throws(WireError) -> Reply {
        let photo = try photo(context)
        let size = PictureSize(of: photo, width: 400, height: nil, dpr: 1, fit: "max")
        return reply(photo, Gallery.Key(photo: photo.number, size: size, dithers: true))
    }

    private func photo(_ context: Context) throws(WireError) -> CataloguePhoto {
        guard let photo = catalogue.photo(file: context.parameters.require("file")) else { throw .notFound("Photo") }
        return photo
    }

    private func reply(_ photo: CataloguePhoto, _ key: Gallery.Key) -> Reply {
        if let kept = gallery.kept(key) { return .now(response(kept)) }
        return .later { [self] in
            do {
                return response(try await gallery.draw(photo, key))
            } catch is WorkerIsBusy {
                return Self.busy
            }
        }
    }

    /// The answer when too many pictures wait to be drawn.
    private static var busy: Response {
        var response = Response.text("Too many pictures are being drawn", status: .serviceUnavailable)
        response.fields[.retryAfter] = "2"
        response.fields[.cacheControl] = "no-store"
        return response
    }

    private func response(_ picture: SharedBytes) -> Response {
        Response(
            fields: [.contentType: "image/png", .cacheControl: "public, max-age=31536000"],
            content: .shared(picture, 0..<picture.count)
        )
    }

    private static func positive(_ number: Double) -> Double? {
        number >= 1 ? number : nil
    }
}

package import HTTPExchange
import HTTPTypes
import PhotoLibrary
import PictureCoding
import Primitives

extension PhotoHandlers {
    /// `GET /v1/photos/{id}/image/{variant}`: a named size, such as `thumb`, or `thumb.webp` in a format.
    package func variant(_ request: Request, _ context: Context) throws -> Reply {
        try service.reply(to: request, context) {
            let name = try context.parameters.require("variant", as: PictureTransform.FileName.self)
            if request.target.query != nil { _ = try Query(request.target, allowing: TransformQuery.ignored) }
            return try picture(PictureTransform(name.variant, format: name.format ?? .jpg), request, context)
        }
    }

    /// `GET /v1/photos/{id}/image?w=&h=&dpr=&q=&fit=&fm=`: any size, snapped to steps.
    package func image(_ request: Request, _ context: Context) throws -> Reply {
        try service.reply(to: request, context) {
            let query = try TransformQuery(request)
            return try picture(query.transform, request, context).map { response in
                query.dependsOnAccept ? response.varying(by: .accept) : response
            }
        }
    }

    /// Whether a link of an answer led to the picture: then it needs no token, which an `<img>` cannot send.
    package func isSigned(_ request: Request, _ parameters: PathParameters) -> Bool {
        guard let pair = request.target.queryPairs.first(where: { $0.encodedName == "s" }), let photo = parameters["id"]
        else { return false }
        return service.configuration.signatures.accepts(Array(pair.encodedValue.utf8), for: photo)
    }

    private func picture(_ transform: PictureTransform, _ request: Request, _ context: Context) throws -> Reply {
        let key = PictureKey(photo: try context.parameters.photo(), transform: transform)
        guard service.redirectsPictures else {
            if let response = service.cachedPicture(key) { return .now(response) }
            let (canStream, account) = (canStream(request), context.memory.account)
            return .later { [service] in try await service.picture(key, canStream: canStream, account: account) }
        }
        if let photo = service.answers.known(key.photo) { return .now(try redirect(to: photo, transform)) }
        return .later { [self] in try redirect(to: await service.answers.findPhoto(key.photo), transform) }
    }

    /// Whether the answer may begin before the picture is complete: ranges and conditions need its tag.
    private func canStream(_ request: Request) -> Bool {
        request.method == .get && request.fields[.range] == nil && request.fields[.ifNoneMatch] == nil
            && request.fields[.ifMatch] == nil
    }

    /// A 307 to the library's address, which is valid for some time, since its `ixid` belongs to a list.
    private func redirect(to photo: Photo, _ transform: PictureTransform) throws(UpstreamError) -> Response {
        let url = transform.url(fromRaw: photo.hotlinks.raw)
        guard service.library.allowsPicture(at: url) else { throw .imageRejected(.hostNotAllowed) }
        return Response(
            status: .temporaryRedirect,
            fields: [
                .location: url, .cacheControl: "public, max-age=300", .cacheStatus: "photos; fwd=bypass",
                .crossOriginResourcePolicy: "cross-origin",
            ]
        )
    }

    /// `GET /v1/photos/{id}/placeholder.png?w=&h=`: a blurred picture to show until the photo has arrived.
    package func placeholder(_ request: Request, _ context: Context) throws -> Reply {
        try service.reply(to: request, context) {
            let query = try Query(request.target, allowing: ["w", "h"] + TransformQuery.versions)
            let id = try context.parameters.photo()
            let width = try query.integer("w", in: Self.placeholderSides)
            let height = try query.integer("h", in: Self.placeholderSides)
            if let photo = service.answers.known(id) { return .now(png(photo, width, height)) }
            return .later { [self] in png(try await service.answers.findPhoto(id), width, height) }
        }
    }

    private static let placeholderSides = 1...BlurHash.largestSide

    /// A missing side follows from the other and the photo's aspect ratio; without both the longer one has 32 pixels.
    private func png(_ photo: Photo, _ width: Int?, _ height: Int?) -> Response {
        let ratio = Double(photo.width) / Double(photo.height)
        func side(_ length: Double) -> Int { Int.clamping(length.rounded(), to: Self.placeholderSides) }
        let placeholder = Placeholder(blurHash: photo.blurHash, color: photo.color)
        let bytes = placeholder.png(
            width: width ?? side(height.map { Double($0) * ratio } ?? min(32, 32 * ratio)),
            height: height ?? side(width.map { Double($0) / ratio } ?? min(32, 32 / ratio))
        )
        return Response(
            fields: [
                .contentType: "image/png", .eTag: EntityTag(hashing: bytes).description,
                .cacheControl: Freshness.pictureControl, .xContentTypeOptions: "nosniff",
                .crossOriginResourcePolicy: "cross-origin",
            ],
            content: .bytes(bytes)
        )
    }
}

/// The transform that a query describes, with the image service's parameters.
struct TransformQuery: Sendable {
    let transform: PictureTransform
    /// Whether the format follows from the Accept field.
    let dependsOnAccept: Bool

    /// The signature of a link, which the middleware has checked if it needs one, and the parameters by which pages make a
    /// new address: the picture is the same.
    static let versions = ["s", "v", "_"]
    /// With a parameter in all of the library's addresses, which identifies the list that the client has seen.
    static let ignored = ["ixid"] + versions

    private enum Format: String, CaseIterable {
        case auto, jpg, png, webp, avif
    }

    /// Reads the query; without parameters it is the size `regular`.
    init(_ request: Request) throws(Problem) {
        let query = try Query(request.target, allowing: ["w", "h", "dpr", "q", "fit", "fm"] + Self.ignored)
        let format = try query.choice("fm", of: Format.self) ?? .jpg
        dependsOnAccept = format == .auto
        // Only here the type of a picture is negotiated.
        if dependsOnAccept { _ = try request.preferred(of: [.anyImage]) }
        transform = PictureTransform(
            width: try query.integer("w", in: PictureTransform.sides),
            height: try query.integer("h", in: PictureTransform.sides),
            density: try query.double("dpr", in: PictureTransform.densities) ?? 1,
            quality: try query.integer("q", in: PictureTransform.qualities) ?? 80,
            fit: try query.choice("fit", of: PictureTransform.Fit.self) ?? .max,
            format: format == .auto
                ? Self.bestFormat(request) : PictureTransform.Format(rawValue: format.rawValue) ?? .jpg
        )
    }

    /// Returns the format with the highest weight, the smaller one of equals (RFC 9110, section 12.5.1).
    ///
    /// AVIF and WebP count only if they are named, because a client that sends only `image/*` or `*/*` may not support
    /// them. JPEG is for clients that send no Accept, or accept none of the formats.
    private static func bestFormat(_ request: Request) -> PictureTransform.Format {
        guard request.fields[.accept] != nil else { return .jpg }
        let accept = Accept(request.fields.values(of: .accept))
        let offers = formats.filter { $0.format == .jpg || $0.format == .png || accept.weight(named: $0.type) > 0 }
        let best = accept.best(of: offers.map(\.type))
        return offers.first { $0.type == best }?.format ?? .jpg
    }

    /// The available formats, the smallest first.
    private static let formats: [(format: PictureTransform.Format, type: MediaType)] = [
        (PictureTransform.Format.avif, "image/avif"), (.webp, "image/webp"), (.jpg, "image/jpeg"), (.png, "image/png"),
    ].compactMap { format, name in MediaType(name).map { (format, $0) } }
}

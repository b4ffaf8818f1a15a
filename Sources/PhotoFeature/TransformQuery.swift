import HTTPExchange
import HTTPTypes
import PhotoFeed

/// The transform that a query describes, with the image service's parameters.
struct TransformQuery: Sendable {
    let transform: PictureTransform
    /// Whether the format follows from the Accept field.
    let dependsOnAccept: Bool

    /// A parameter in all of the library's addresses, ignored here: it identifies the list that the client has seen.
    static let ixid = "ixid"

    private enum Format: String, CaseIterable {
        case auto, jpg, png, webp, avif
    }

    /// Reads the query; without parameters it is the size `regular`.
    init(_ request: Request) throws(Problem) {
        let query = try Query(request.target, allowing: ["w", "h", "dpr", "q", "fit", "fm", Self.ixid])
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

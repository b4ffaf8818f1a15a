import HTTPExchange
import HTTPTypes
import PhotoFeed

/// The picture that a query describes, in the image service's own words.
struct TransformQuery: Sendable {
    let transform: PictureTransform
    /// The format was left to what the client accepts.
    let dependsOnAccept: Bool

    /// Stands in every address that the library gives; it says where the client saw the photo, and means nothing here.
    static let ixid = "ixid"

    private enum Format: String, CaseIterable {
        case auto
        case jpg
        case png
        case webp
        case avif
    }

    /// Reads the query; without any parameter it is the size `regular`.
    init(_ request: Request) throws(Problem) {
        let query = try Query(request.target, allowing: ["w", "h", "dpr", "q", "fit", "fm", Self.ixid])
        let format = try query.choice("fm", of: Format.self) ?? .jpg
        dependsOnAccept = format == .auto
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

    /// The format that the client names with the highest weight, the smaller one of equals; one that only says `*/*` may
    /// not know the newer ones.
    private static func bestFormat(_ request: Request) -> PictureTransform.Format {
        let accept = Accept(request.fields.values(of: .accept))
        let (avif, webP) = (accept.weight(named: .avif), accept.weight(named: .webP))
        if avif > 0, avif >= webP { return .avif }
        return webP > 0 ? .webp : .jpg
    }
}

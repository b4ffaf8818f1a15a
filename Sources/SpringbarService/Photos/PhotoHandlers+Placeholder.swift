package import HTTPExchange
import PhotoFeed
import PictureCoding
import Primitives

extension PhotoHandlers {
    /// `GET /v1/photos/{id}/placeholder.png?w=&h=`: a blurred picture to show until the photo has arrived.
    package func placeholder(_ request: Request, _ context: Context) throws -> Reply {
        try context.traced {
            let query = try Query(request.target, allowing: ["w", "h"])
            let id = try context.parameters.photo()
            let width = try query.integer("w", in: Self.placeholderSides)
            let height = try query.integer("h", in: Self.placeholderSides)
            if let photo = service.readingPhoto(id, isFull: false) { return .now(png(photo.photo, width, height)) }
            return .later { [self] in png(try await service.photo(id, isFull: false).photo, width, height) }
        }
    }

    private static let placeholderSides = 1...BlurHash.largestSide
    /// The longer side without a given size, in pixels.
    private static let longerSide = 32

    /// A missing side follows from the other and the photo's aspect ratio.
    private func png(_ photo: Photo, _ width: Int?, _ height: Int?) -> Response {
        let ratio = Double(photo.width) / Double(photo.height)
        func side(_ length: Double) -> Int {
            Int.clamping(length.rounded(), to: Self.placeholderSides)
        }
        let longer = Double(Self.longerSide)
        let size =
            switch (width, height) {
            case (let width?, let height?): (width, height)
            case (let width?, nil): (width, side(Double(width) / ratio))
            case (nil, let height?): (side(Double(height) * ratio), height)
            case (nil, nil):
                ratio > 1 ? (Self.longerSide, side(longer / ratio)) : (side(longer * ratio), Self.longerSide)
            }
        let placeholder = Placeholder(blurHash: photo.blurHash, color: photo.color)
        let bytes = placeholder.png(width: size.0, height: size.1)
        return Response(
            fields: [
                .contentType: "image/png",
                .eTag: EntityTag(hashing: bytes).description,
                .cacheControl: CacheControl.picture,
                .xContentTypeOptions: "nosniff",
            ],
            content: .bytes(bytes)
        )
    }
}

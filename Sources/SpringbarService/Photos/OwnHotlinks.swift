import HTTPExchange
import PhotoFeed
import Primitives

extension Photo.Hotlinks {
    /// The addresses of the service's own pictures of a photo, at a base URL.
    init(of photo: String, at base: String) {
        func link(_ variant: PictureTransform.Variant) -> String {
            "\(base)/v1/photos/\(PercentEncoding.encode(photo))/image/\(variant.rawValue)"
        }
        self.init(
            raw: link(.full),
            full: link(.full),
            regular: link(.regular),
            small: link(.small),
            thumb: link(.thumb)
        )
    }
}

extension PhotoService {
    /// The base URL of hotlinks to the service's own pictures; nil for the library's addresses.
    ///
    /// Clients cannot reach the built-in sandbox library, which listens on a loopback port. Its pictures are at the public
    /// URL of the service, else at the Host of the request.
    func ownHotlinks(_ request: Request) -> String? {
        guard configuration.library == .sandbox else { return nil }
        return configuration.publicURL
            ?? "http://" + PercentEncoding.encodeIllegal(in: request.fields[.host] ?? "localhost")
    }

    /// Whether pictures are answered with a redirect to the library; not to the sandbox, which clients cannot reach.
    var redirectsPictures: Bool { configuration.imageMode == .redirect && configuration.library == .unsplash }
}

import HTTPExchange
import PhotoFeed
import Primitives

extension Photo.Hotlinks {
    /// Addresses of our own pictures of a photo, at `base`.
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
    /// Where hotlinks lead to us for the client of a request; nil where they are the library's own.
    ///
    /// The built-in sandbox library listens on a loopback port, which no client outside of the container reaches: its
    /// pictures are at our own address, which is the public one or what the request says that it is.
    func ownHotlinks(_ request: Request) -> String? {
        guard configuration.library == .sandbox else { return nil }
        return configuration.publicURL
            ?? "http://" + PercentEncoding.encodeIllegal(in: request.fields[.host] ?? "localhost")
    }

    /// Whether pictures are answered with a redirect to the library; never to the sandbox, which no client reaches.
    var redirectsPictures: Bool { configuration.imageMode == .redirect && configuration.library == .unsplash }
}

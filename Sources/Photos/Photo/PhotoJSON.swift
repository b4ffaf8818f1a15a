import HTTPExchange
import JSON
import PhotoLibrary
import Primitives

/// Writes photos in the format of the contract: flat, with every member.
struct PhotoJSON: Sendable {
    let configuration: PhotoService.Configuration
    /// The base URL of hotlinks to the service's own pictures, such as `http://host:port`; nil for the library's addresses.
    let hotlinkBase: String?

    /// Writes the members of a photo into an open object.
    func members(of photo: Photo, in json: inout JSONWriter) {
        let description = photo.description
        json.member("id", photo.id)
        json.member("slug", photo.slug)
        json.member("width", photo.width)
        json.member("height", photo.height)
        // Rounded to four digits.
        let ratio = Double(photo.width) / Double(photo.height)
        json.member("aspectRatio", (ratio * 10_000).rounded() / 10_000)
        json.member("description", description.text)
        json.member("descriptionSource", description.source)
        json.member("color", photo.color)
        json.member("blurHash", photo.blurHash)
        let placeholder = Placeholder(blurHash: photo.blurHash, color: photo.color)
        json.member("placeholder", placeholder.dataURI(portrait: photo.height > photo.width))
        let query = configuration.signatures.query(for: photo.id)
        json.object("images") { json in
            for variant in PictureTransform.Variant.allCases {
                let size = PictureTransform(variant).size(of: photo.size)
                json.key(variant.rawValue)
                json.object { json in
                    json.member("url", Photo.picturePath(photo.id, variant.rawValue) + query)
                    json.member("width", size.width)
                    json.member("height", size.height)
                }
            }
        }
        let hotlinks = hotlinkBase.map { Photo.Hotlinks(of: photo.id, at: $0, query) } ?? photo.hotlinks
        json.object("hotlinks") { json in
            for (name, address) in hotlinks.all { json.member(name, address) }
        }
        attribution(of: photo.user, in: &json)
        json.object("user") { json in
            json.member("username", photo.user.username)
            json.member("name", photo.user.name)
        }
        json.member("createdAt", photo.createdAt)
        json.member("likes", photo.likes)
        json.member("sponsored", photo.sponsored)
        json.member("premium", photo.premium)
    }

    /// Writes the credit that the library's terms require with every photo: links with `utm_source` and `utm_medium`.
    ///
    /// The pictures of the sandbox library are drawn by the service. They are not on Unsplash, and their photographers are
    /// invented, so the credit names neither, and the photographers have links to a site that does not exist.
    private func attribution(of photographer: Photo.Photographer, in json: inout JSONWriter) {
        let campaign = "?utm_source=\(PercentEncoding.encode(configuration.appName))&utm_medium=referral"
        let isSandbox = configuration.library == .sandbox
        // RFC 2606 reserves `.example`.
        let site = isSandbox ? "https://photos.example" : "https://unsplash.com"
        let profile = "\(site)/@\(PercentEncoding.encode(photographer.username))\(campaign)"
        let home = "https://unsplash.com/\(campaign)"
        let drawn = isSandbox ? "Drawn by the built-in library" : nil
        let link = "<a href=\"\(HTMLText.escaped(profile))\">\(HTMLText.escaped(photographer.name))</a>"
        json.object("attribution") { json in
            json.member("text", drawn ?? "Photo by \(photographer.name) on Unsplash")
            json.member("html", drawn ?? "Photo by \(link) on <a href=\"\(HTMLText.escaped(home))\">Unsplash</a>")
            json.member("photographerUrl", profile)
            json.member("unsplashUrl", home)
        }
    }

    private static let mostTags = 100

    /// Writes the members that only the library's document of a photo has.
    static func details(of document: JSONObject, in json: inout JSONWriter) {
        let longest = PhotoPayload.longestName
        let exif = document.object("exif")
        json.object("exif") { json in
            json.member("make", exif?.text("make", atMost: longest))
            json.member("model", exif?.text("model", atMost: longest))
            json.member("name", exif?.text("name", atMost: longest))
            // Numbers are text, as the library has them (`"1/160"`).
            json.member("exposureTime", exif?.text("exposure_time", atMost: longest))
            json.member("aperture", exif?.text("aperture", atMost: longest))
            json.member("focalLength", exif?.text("focal_length", atMost: longest))
            json.member("iso", exif?.integer("iso"))
        }
        let location = document.object("location")
        let position = location?.object("position")
        let (latitude, longitude) = (position?.number("latitude"), position?.number("longitude"))
        // The library writes an unknown position as 0/0.
        let isPlaced = latitude != nil && longitude != nil && (latitude != 0 || longitude != 0)
        json.object("location") { json in
            json.member("name", location?.text("name", atMost: longest))
            json.member("city", location?.text("city", atMost: longest))
            json.member("country", location?.text("country", atMost: longest))
            json.member("latitude", isPlaced ? latitude : nil)
            json.member("longitude", isPlaced ? longitude : nil)
        }
        let tags = try? document.optional("tags")?.array(atMost: mostTags)
        json.member("tags", (tags ?? []).compactMap { (try? $0.object())?.text("title", atMost: longest) })
        json.member("views", document.integer("views") ?? 0)
        json.member("downloads", document.integer("downloads") ?? 0)
    }
}

extension Photo.Hotlinks {
    /// The addresses of the service's own pictures of a photo, at a base URL, with a query or an empty text.
    init(of photo: String, at base: String, _ query: String) {
        self.init { name in
            // The others are names of variants.
            let variant = "\(name)" == "raw" ? "full" : "\(name)"
            return base + Photo.picturePath(photo, variant) + query
        }
    }
}

extension Photo {
    var size: PixelSize { PixelSize(width: width, height: height) }

    /// The description of a photo, or a text instead, and its origin: the library has none for 10 to 80 % of a page.
    var description: (text: String, source: String) {
        let texts = [(writtenDescription, "description"), (altDescription, "altDescription")]
        // The library writes a missing text as null or as `""`.
        for case (let text?, let source) in texts where text.contains(where: { !$0.isWhitespace }) {
            return (text, source)
        }
        return ("Photo by \(user.name)", "user")
    }

    /// The path of the service's own picture of a photo.
    static func picturePath(_ id: String, _ variant: String) -> String {
        "/v1/photos/\(PercentEncoding.encode(id))/image/\(variant)"
    }
}

extension PhotoService {
    /// The base URL of hotlinks to the service's own pictures; nil for the library's addresses.
    ///
    /// Clients cannot reach the built-in library, which answers within the process. Its pictures are at the public URL of
    /// the service, else at the Host of the request.
    func hotlinkBase(_ request: Request) -> String? {
        guard configuration.library == .sandbox else { return nil }
        return request.base(publicURL: configuration.publicURL)
    }

    /// Whether pictures are answered with a redirect to the library; not to the sandbox, which clients cannot reach.
    var redirectsPictures: Bool { configuration.imageMode == .redirect && configuration.library == .unsplash }
}

import HTTPExchange
import JSON
import PictureCoding
import Primitives

/// Writes photos as the upstream does: with its members, in its order, with its nulls.
struct WireWriter: Sendable {
    let catalogue: Catalogue
    /// The beginning of all links of the API, such as `http://127.0.0.1:9000`: the authority that the client used.
    let base: String
    /// The beginning of the URLs of pictures.
    let pictureBase: String
    /// The beginning of the URLs of paid pictures.
    let premiumBase: String
    let application: Int
    /// Unix time in seconds.
    let now: Int

    /// The site of `html` links, which does not exist (RFC 2606 reserves `.example`).
    static let site = "https://photos.example"

    /// A photo in lists.
    func photo(_ photo: CataloguePhoto, _ tracking: TrackingID, to json: inout JSONWriter) {
        json.object { json in members(of: photo, tracking, to: &json) }
    }

    /// A photo as in the response of `GET /photos/{id}`.
    func detail(_ photo: CataloguePhoto, _ tracking: TrackingID, to json: inout JSONWriter) {
        json.object { json in
            members(of: photo, tracking, to: &json)
            exif(photo.camera, to: &json)
            location(photo.location, to: &json)
            json.object("meta") { json in json.member("index", true) }
            json.member("public_domain", false)
            json.array("tags") { json in
                for tag in photo.tags {
                    json.object { json in
                        json.member("type", "search")
                        json.member("title", tag)
                    }
                }
            }
            json.member("views", photo.views)
            json.member("downloads", photo.downloads)
            json.array("topics") { json in
                for topic in photo.topics { self.topic(topic, to: &json) }
            }
            json.object("related_collections") { json in
                json.member("total", 0)
                json.member("type", "related")
                json.array("results") { _ in }
            }
        }
    }

    private func members(of photo: CataloguePhoto, _ tracking: TrackingID, to json: inout JSONWriter) {
        let preview = photo.hasColor || photo.hasBlurHash ? catalogue.preview(of: photo) : nil
        json.member("id", photo.id)
        json.member("slug", photo.slug)
        json.object("alternative_slugs") { json in
            json.member("en", photo.slug)
            for slug in photo.alternativeSlugs { json.member(slug.language, slug.slug) }
        }
        json.member("created_at", timestamp(photo.createdAt))
        json.member("updated_at", timestamp(photo.updatedAt))
        json.member("promoted_at", photo.promotedAt.map(timestamp))
        json.member("width", photo.width)
        json.member("height", photo.height)
        json.member("color", photo.hasColor ? preview?.color.hexText : nil)
        json.member("blur_hash", photo.hasBlurHash ? preview?.blurHash : nil)
        json.member("description", photo.description)
        json.member("alt_description", photo.altDescription)
        json.array("breadcrumbs") { _ in }
        urls(of: photo, tracking.text, to: &json)
        links(of: photo, tracking.text, to: &json)
        json.member("likes", photo.likes)
        json.member("liked_by_user", false)
        json.array("current_user_collections") { _ in }
        sponsorship(of: photo, to: &json)
        json.object("topic_submissions") { json in
            for topic in photo.topics {
                json.object(topic.slug) { json in
                    json.member("status", "approved")
                    json.member("approved_on", timestamp(photo.createdAt + 3600))
                }
            }
        }
        json.member("asset_type", "photo")
        json.member("premium", photo.isPremium)
        json.member("plus", photo.isPremium)
        json.key("user")
        user(
            Photographer.all[photo.photographer],
            photoCount: catalogue.photoCount(ofPhotographer: photo.photographer),
            to: &json
        )
    }

    /// The upstream's six sizes, their queries sorted by name as in the newest payloads.
    private func urls(of photo: CataloguePhoto, _ ixid: String, to json: inout JSONWriter) {
        let picture = "\(photo.isPremium ? premiumBase : pictureBase)/images/\(photo.file)"
        let tail = "ixid=\(ixid)&ixlib=rb-4.0.3"
        func sized(_ width: Int) -> String {
            "\(picture)?crop=entropy&cs=tinysrgb&fit=max&fm=jpg&\(tail)&q=80&w=\(width)"
        }
        json.object("urls") { json in
            json.member("raw", "\(picture)?\(tail)")
            json.member("full", "\(picture)?crop=entropy&cs=srgb&fm=jpg&\(tail)&q=85")
            json.member("regular", sized(1080))
            json.member("small", sized(400))
            json.member("thumb", sized(200))
            json.member("small_s3", "\(pictureBase)/images/small/\(photo.file)")
        }
    }

    private func links(of photo: CataloguePhoto, _ ixid: String, to json: inout JSONWriter) {
        json.object("links") { json in
            json.member("self", "\(base)/photos/\(photo.slug)")
            json.member("html", "\(Self.site)/photos/\(photo.slug)")
            json.member("download", "\(Self.site)/photos/\(photo.id)/download?ixid=\(ixid)")
            json.member("download_location", "\(base)/photos/\(photo.id)/download?ixid=\(ixid)")
        }
    }

    /// A proxy must not forward `impression_urls`: a client that loads them informs an advertiser.
    private func sponsorship(of photo: CataloguePhoto, to json: inout JSONWriter) {
        guard photo.isSponsored else {
            json.key("sponsorship")
            json.null()
            return
        }
        json.object("sponsorship") { json in
            json.array("impression_urls") { json in
                json.value("https://ads.example/impression?banner=\(photo.number)&rnd=[timestamp]")
            }
            json.member("tagline", "Light, wherever you fold your chair")
            json.member("tagline_url", "https://lanternworks.example/")
            json.key("sponsor")
            user(.sponsor, photoCount: 0, to: &json)
        }
    }
}

extension WireWriter {
    /// Returns a Unix time as the upstream writes it, such as `2024-07-02T16:19:28Z`.
    func timestamp(_ unixTime: Int) -> String {
        WallTime(milliseconds: unixTime * 1000).rfc3339Seconds
    }
}

extension WireWriter {
    /// A member of the library, in photos.
    func user(_ photographer: Photographer, photoCount: Int, to json: inout JSONWriter) {
        let name = photographer.username
        json.object { json in
            json.member("id", "U-\(PercentEncoding.encode(name))")
            json.member("updated_at", timestamp(now - now % 86_400))
            json.member("username", name)
            json.member("name", photographer.name)
            json.member("first_name", photographer.firstName)
            json.member("last_name", photographer.lastName)
            json.member("twitter_username", nil as String?)
            json.member("portfolio_url", photographer.portfolio)
            json.member("bio", photographer.bio)
            json.member("location", photographer.location)
            json.object("links") { json in
                json.member("self", "\(base)/users/\(name)")
                json.member("html", "\(Self.site)/@\(name)")
                json.member("photos", "\(base)/users/\(name)/photos")
                json.member("likes", "\(base)/users/\(name)/likes")
                json.member("portfolio", "\(base)/users/\(name)/portfolio")
            }
            json.object("profile_image") { json in
                for (size, pixels) in [("small", 32), ("medium", 64), ("large", 128)] {
                    json.member(size, "\(Self.site)/avatars/\(name)?fit=crop&w=\(pixels)&h=\(pixels)")
                }
            }
            json.member("instagram_username", photographer.instagram)
            json.member("total_collections", 0)
            json.member("total_likes", name.utf8.count * 7)
            json.member("total_photos", photoCount)
            json.member("accepted_tos", true)
            json.member("for_hire", photographer.portfolio != nil)
            json.object("social") { json in
                json.member("instagram_username", photographer.instagram)
                json.member("portfolio_url", photographer.portfolio)
                json.member("twitter_username", nil as String?)
                json.member("paypal_email", nil as String?)
            }
        }
    }

    /// A topic, as `GET /topics` lists it.
    func topic(_ topic: Topic, to json: inout JSONWriter) {
        json.object { json in
            json.member("id", topic.id)
            json.member("slug", topic.slug)
            json.member("title", topic.title)
            json.member("description", topic.description)
            json.member("published_at", "2024-01-01T00:00:00Z")
            json.member("updated_at", timestamp(now - now % 86_400))
            json.member("starts_at", "2024-01-01T00:00:00Z")
            json.member("ends_at", nil as String?)
            json.member("visibility", "featured")
            json.member("featured", true)
            json.member("total_photos", catalogue.photos.count { $0.topics.contains(topic) })
            json.object("links") { json in
                json.member("self", "\(base)/topics/\(topic.slug)")
                json.member("html", "\(Self.site)/t/\(topic.slug)")
                json.member("photos", "\(base)/topics/\(topic.slug)/photos")
            }
            json.member("status", "open")
        }
    }

    /// Every member may be null; all are for a scanned negative.
    func exif(_ camera: Camera?, to json: inout JSONWriter) {
        json.object("exif") { json in
            json.member("make", camera?.make)
            json.member("model", camera?.model)
            json.member("name", camera?.name)
            json.member("exposure_time", camera?.exposureTime)
            json.member("aperture", camera?.aperture)
            json.member("focal_length", camera?.focalLength)
            json.member("iso", camera?.iso)
        }
    }

    /// An unknown location has null names and the position 0, 0.
    func location(_ location: PhotoLocation?, to json: inout JSONWriter) {
        json.object("location") { json in
            json.member("name", location?.name)
            json.member("city", location?.city)
            json.member("country", location?.country)
            json.object("position") { json in
                json.member("latitude", location?.latitude ?? 0)
                json.member("longitude", location?.longitude ?? 0)
            }
        }
    }
}

import PictureCoding
import Primitives

/// Photos as the upstream writes them: with its members, in its order, with its nulls.
extension LibraryRequest {
    /// The site of `html` links, which does not exist (RFC 2606 reserves `.example`).
    private static let site = "https://photos.example"

    /// A photo in lists.
    func photo(_ photo: CataloguePhoto, _ ixid: String) -> WireJSON {
        "{\(members(of: photo, ixid))}"
    }

    /// A photo as in the response of `GET /photos/{id}`.
    func detail(_ photo: CataloguePhoto, _ ixid: String) -> WireJSON {
        """
        {\(members(of: photo, ixid)),\
        "exif":\(exif(photo.camera)),"location":\(location(photo.location)),\
        "meta":{"index":true},"public_domain":false,\
        "tags":[\(.list(photo.tags.map { "{\"type\":\"search\",\"title\":\($0)}" }))],\
        "views":\(photo.views),"downloads":\(photo.downloads),"topics":[\(.list(photo.topics.map(topic)))],\
        "related_collections":{"total":0,"type":"related","results":[]}}
        """
    }

    private func members(of photo: CataloguePhoto, _ ixid: String) -> WireJSON {
        let blur = photo.hasColor || photo.hasBlurHash ? catalogue.blur(of: photo) : nil
        let submissions = photo.topics.map { topic -> WireJSON in
            "\(topic.slug):{\"status\":\"approved\",\"approved_on\":\(timestamp(photo.createdAt + 3600))}"
        }
        let slugs = photo.alternativeSlugs.map { slug -> WireJSON in "\(slug.language):\(slug.slug)" }
        return """
            "id":\(photo.id),"slug":\(photo.slug),\
            "alternative_slugs":{"en":\(photo.slug),\(.list(slugs))},\
            "created_at":\(timestamp(photo.createdAt)),"updated_at":\(timestamp(photo.updatedAt)),\
            "promoted_at":\(photo.promotedAt.map(timestamp)),"width":\(photo.width),"height":\(photo.height),\
            "color":\(photo.hasColor ? blur?.average.hexText : nil),\
            "blur_hash":\(photo.hasBlurHash ? blur?.text : nil),\
            "description":\(photo.description),"alt_description":\(photo.altDescription),"breadcrumbs":[],\
            "urls":\(urls(of: photo, ixid)),"links":\(links(of: photo, ixid)),\
            "likes":\(photo.likes),"liked_by_user":false,"current_user_collections":[],\
            "sponsorship":\(sponsorship(of: photo)),"topic_submissions":{\(.list(submissions))},\
            "asset_type":"photo","premium":\(photo.isPremium),"plus":\(photo.isPremium),\
            "user":\(user(photo.photographer))
            """
    }

    /// The upstream's six sizes, their queries sorted by name as in the newest payloads.
    private func urls(of photo: CataloguePhoto, _ ixid: String) -> WireJSON {
        let picture = "\(base)/images/\(photo.file)"
        let tail = "ixid=\(ixid)&ixlib=rb-4.0.3"
        func sized(_ width: Int) -> String {
            "\(picture)?crop=entropy&cs=tinysrgb&fit=max&fm=jpg&\(tail)&q=80&w=\(width)"
        }
        return """
            {"raw":\("\(picture)?\(tail)" as String),\
            "full":\("\(picture)?crop=entropy&cs=srgb&fm=jpg&\(tail)&q=85" as String),\
            "regular":\(sized(1080)),"small":\(sized(400)),"thumb":\(sized(200)),\
            "small_s3":\("\(base)/images/small/\(photo.file)" as String)}
            """
    }

    private func links(of photo: CataloguePhoto, _ ixid: String) -> WireJSON {
        let (path, download) = ("/photos/\(photo.slug)", "/photos/\(photo.id)/download?ixid=\(ixid)")
        return """
            {"self":\(base + path),"html":\(Self.site + path),\
            "download":\(Self.site + download),"download_location":\(base + download)}
            """
    }

    /// A proxy must not forward `impression_urls`: a client that loads them informs an advertiser.
    private func sponsorship(of photo: CataloguePhoto) -> WireJSON {
        guard photo.isSponsored else { return "null" }
        return """
            {"impression_urls":["https://ads.example/impression?banner=\(photo.number)&rnd=[timestamp]"],\
            "tagline":"Light, wherever you fold your chair","tagline_url":"https://lanternworks.example/",\
            "sponsor":\(user(.sponsor, photoCount: 0))}
            """
    }

    /// A member of the library, by the index of a photographer: in photos, and as in the response of `GET /users/{username}`.
    func user(_ photographer: Int) -> WireJSON {
        user(Photographer.all[photographer], photoCount: catalogue.photoCounts[photographer])
    }

    private func user(_ photographer: Photographer, photoCount: Int) -> WireJSON {
        let name = photographer.username
        let (path, page) = ("\(base)/users/\(name)", "\(Self.site)/@\(name)")
        func avatar(_ pixels: Int) -> String { "\(Self.site)/avatars/\(name)?fit=crop&w=\(pixels)&h=\(pixels)" }
        return """
            {"id":\("U-" + PercentEncoding.encode(name)),"updated_at":\(today),"username":\(name),\
            "name":\(photographer.name),"first_name":\(photographer.firstName),"last_name":\(photographer.lastName),\
            "twitter_username":null,"portfolio_url":\(photographer.portfolio),"bio":\(photographer.bio),\
            "location":\(photographer.location),\
            "links":{"self":\(path),"html":\(page),"photos":\(path + "/photos"),"likes":\(path + "/likes"),\
            "portfolio":\(path + "/portfolio")},\
            "profile_image":{"small":\(avatar(32)),"medium":\(avatar(64)),"large":\(avatar(128))},\
            "instagram_username":\(photographer.instagram),"total_collections":0,\
            "total_likes":\(name.utf8.count * 7),"total_photos":\(photoCount),"accepted_tos":true,\
            "for_hire":\(photographer.portfolio != nil),\
            "social":{"instagram_username":\(photographer.instagram),"portfolio_url":\(photographer.portfolio),\
            "twitter_username":null,"paypal_email":null}}
            """
    }

    /// A topic, as `GET /topics` lists it.
    func topic(_ topic: Topic) -> WireJSON {
        let path = "\(base)/topics/\(topic.slug)"
        return """
            {"id":\(topic.id),"slug":\(topic.slug),"title":\(topic.title),"description":\(topic.description),\
            "published_at":"2024-01-01T00:00:00Z","updated_at":\(today),"starts_at":"2024-01-01T00:00:00Z",\
            "ends_at":null,"visibility":"featured","featured":true,\
            "total_photos":\(catalogue.photos.count { $0.topics.contains(topic) }),\
            "links":{"self":\(path),"html":\("\(Self.site)/t/\(topic.slug)" as String),"photos":\(path + "/photos")},\
            "status":"open"}
            """
    }

    /// A collection, as `GET /collections` lists it, without a preview of its photos.
    func collection(_ collection: PhotoCollection) -> WireJSON {
        let photos = catalogue.photos.filter(collection.has)
        let ixid = ixid("collection", collection: collection.id)
        let path = "\(base)/collections/\(collection.id)"
        return """
            {"id":\(collection.id),"title":\(collection.title),"description":null,\
            "published_at":"2024-01-01T00:00:00Z","last_collected_at":\(today),"updated_at":\(today),"featured":false,\
            "total_photos":\(photos.count),"private":false,"share_key":null,"tags":[],\
            "links":{"self":\(path),"html":\("\(Self.site)/collections/\(collection.id)" as String),\
            "photos":\(path + "/photos"),"related":\(path + "/related")},\
            "user":\(photos.first.map { user($0.photographer) }),\
            "cover_photo":\(photos.first.map { photo($0, ixid) }),"preview_photos":[]}
            """
    }

    /// The numbers of a photo, and those of the last thirty days: each has the same share.
    func statistics(of photo: CataloguePhoto) -> WireJSON {
        func history(_ total: Int) -> WireJSON {
            let daily = total / 1000
            let days = (1...30).reversed().map { day -> WireJSON in
                let date = timestamp(now - now % 86_400 - day * 86_400)
                return "{\"date\":\(String(date.prefix(10))),\"value\":\(daily)}"
            }
            return """
                {"total":\(total),"historical":{"change":\(30 * daily),"average":\(daily),"resolution":"days",\
                "quantity":30,"values":[\(.list(days))]}}
                """
        }
        return """
            {"id":\(photo.id),"slug":\(photo.slug),"downloads":\(history(photo.downloads)),\
            "views":\(history(photo.views)),"likes":\(history(photo.likes))}
            """
    }

    /// Every member may be null; all are for a scanned negative.
    private func exif(_ camera: Camera?) -> WireJSON {
        """
        {"make":\(camera?.make),"model":\(camera?.model),"name":\(camera?.name),\
        "exposure_time":\(camera?.exposureTime),"aperture":\(camera?.aperture),\
        "focal_length":\(camera?.focalLength),"iso":\(camera?.iso)}
        """
    }

    /// An unknown location has null names and the position 0, 0.
    private func location(_ location: PhotoLocation?) -> WireJSON {
        """
        {"name":\(location?.name),"city":\(location?.city),"country":\(location?.country),\
        "position":{"latitude":\(location?.latitude ?? 0),"longitude":\(location?.longitude ?? 0)}}
        """
    }

    /// The beginning of this day.
    private var today: String { timestamp(now - now % 86_400) }

    /// Returns a Unix time as the upstream writes it, such as `2024-07-02T16:19:28Z`.
    private func timestamp(_ unixTime: Int) -> String { WallTime(milliseconds: unixTime * 1000).rfc3339Seconds }
}

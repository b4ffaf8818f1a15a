import HTTPExchange
import JSON
import Primitives

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

import HTTPExchange
import Primitives
import Synchronization

/// The library that the API reads: the catalogue, the clock and the hosts that URLs name.
final class LibraryState: Sendable {
    let catalogue: Catalogue
    private let now: @Sendable () -> Int
    private let random: Lock<SeededRandom>
    private let pictureAuthority = Lock<String?>(nil)

    init(catalogue: Catalogue, seed: UInt64, now: @escaping @Sendable () -> Int) {
        self.catalogue = catalogue
        self.now = now
        random = Lock(SeededRandom(seed: seed, stream: 2, number: 0))
    }

    /// All photos in the order of every list.
    var newestFirst: [CataloguePhoto] { catalogue.photos.reversed() }

    /// Unix time, in seconds.
    var time: Int { now() }

    /// Puts `host:port` into the URLs of pictures instead of the authority that the client used.
    func setPictureAuthority(_ authority: String) {
        pictureAuthority.withLock { $0 = authority }
    }

    /// Reads a request; links have the authority that the client used.
    func read(_ request: Request) -> APIRequest {
        let authority = request.fields[.host] ?? "127.0.0.1"
        let pictures = pictureAuthority.withLock { $0 } ?? authority
        return APIRequest(
            query: WireQuery(request.target),
            target: request.target,
            writer: WireWriter(
                catalogue: catalogue,
                base: "http://\(authority)",
                pictureBase: "http://\(pictures)",
                now: time
            )
        )
    }

    /// The photos that have all words of `query` in their texts, and its `orientation` and `color`.
    func search(_ query: WireQuery) -> [CataloguePhoto] {
        let words = (query["query"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
        return newestFirst.filter { photo in
            if let orientation = query["orientation"], photo.orientation != orientation { return false }
            if let color = query["color"], photo.palette.hue != color { return false }
            return words.isEmpty || photo.contains(words)
        }
    }

    /// `count` of the photos, in random order; the same ones for the same seed and history.
    func sample(_ count: Int, of photos: [CataloguePhoto]) -> [CataloguePhoto] {
        random.withLock { random in Array(photos.shuffled(using: &random).prefix(count)) }
    }
}

/// A request to the API, with everything that its answer needs.
struct APIRequest: Sendable {
    let query: WireQuery
    let target: Target
    let writer: WireWriter

    /// The `ixid` of the pictures in this answer.
    func tracking(_ feed: String, collection: String = "", text: String = "") -> TrackingID {
        TrackingID(feed: feed, collection: collection, searchText: text, time: writer.now)
    }

    /// Returns a success with the upstream's fields, which allow neither storing nor revalidation.
    func response(_ json: [UInt8], page: ListPage? = nil) -> Response {
        var response = Response.json(
            json,
            fields: [
                .cacheControl: "no-cache, no-store, must-revalidate", .vary: "Origin, Authorization",
                .accessControlExposeHeaders: "Link,X-Total,X-Per-Page,X-RateLimit-Limit,X-RateLimit-Remaining",
            ]
        )
        guard let page else { return response }
        response.fields[.xTotal] = String(page.total)
        response.fields[.xPerPage] = String(page.size)
        response.fields[.link] = page.link(base: writer.base, path: target.path, query)
        return response
    }
}

extension CataloguePhoto {
    /// Whether every word, in lower case, is in the photo's texts; a plural finds its singular.
    fileprivate func contains(_ words: [Substring]) -> Bool {
        let person = Photographer.all[photographer]
        let texts = [altDescription, description, location?.name, person.name].compactMap { $0?.lowercased() } + tags
        let longest = texts.reduce(0) { max($0, $1.utf8.count) }
        return words.allSatisfy { word in
            let singular = word.hasSuffix("s") ? word.dropLast() : word
            // A search builds a table of the whole word for each text of each photo: a word of 8 kB took 2 s.
            guard singular.utf8.count <= longest else { return false }
            return texts.contains { $0.contains(singular) }
        }
    }
}

import HTTPExchange
import Synchronization

/// The library as the API sees it: the catalogue, the clock, and what faults do to lists.
final class LibraryState: Sendable {
    let catalogue: Catalogue
    let faults: FaultSwitch
    private let now: @Sendable () -> Int
    private let premiumAuthority: String?
    private let random: Mutex<SeededRandom>
    private let pictureAuthority = Mutex<String?>(nil)

    init(
        catalogue: Catalogue,
        faults: FaultSwitch,
        seed: UInt64,
        premiumAuthority: String?,
        now: @escaping @Sendable () -> Int
    ) {
        self.catalogue = catalogue
        self.faults = faults
        self.now = now
        self.premiumAuthority = premiumAuthority
        random = Mutex(SeededRandom(seed: seed, stream: 2, number: 0))
    }

    /// The order of every list: publishing a photo puts it in front.
    var newestFirst: [CataloguePhoto] { catalogue.photos.reversed() }

    /// Puts `host:port` into the URLs of pictures instead of the one that the client used.
    func setPictureAuthority(_ authority: String) {
        pictureAuthority.withLock { $0 = authority }
    }

    /// Unix time, in seconds.
    var time: Int { now() }

    /// Reads a request.
    ///
    /// Links lead back to where the client reached the library, by whatever name.
    func asking(_ request: Request) -> Asking {
        let authority = request.fields[.host] ?? "127.0.0.1"
        let pictures = pictureAuthority.withLock { $0 } ?? authority
        return Asking(
            query: WireQuery(request.target),
            target: request.target,
            writer: WireWriter(
                catalogue: catalogue,
                base: "http://\(authority)",
                pictureBase: "http://\(pictures)",
                premiumBase: "http://\(premiumAuthority ?? pictures)",
                application: Self.application,
                now: time
            )
        )
    }

    /// The application that every key belongs to.
    private static let application = 424_242

    /// The photos of a page with their positions in the list, and whatever a fault makes of them.
    func entries(
        of page: ListPage,
        in photos: [CataloguePhoto],
        _ asking: Asking
    ) -> [(position: Int, photo: CataloguePhoto)] {
        var entries = page.range.map { (position: $0, photo: photos[$0]) }
        let fault = faults.takeListFault(of: asking)
        for index in entries.indices.prefix(fault.repeatedAcross) where page.range.lowerBound >= fault.repeatedAcross {
            // The page begins with the end of the one before.
            entries[index].photo = photos[page.range.lowerBound - fault.repeatedAcross + index]
        }
        for index in entries.indices.dropFirst().prefix(fault.repeatedInside) {
            entries[index].photo = entries[0].photo
        }
        if fault.published > 0 { catalogue.publish(fault.published) }
        return entries
    }

    /// The photos that have all words of `query` in their texts, and the `orientation` and `color` asked for.
    func found(_ query: WireQuery) -> [CataloguePhoto] {
        let words = (query["query"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
        return newestFirst.filter { photo in
            if let orientation = query["orientation"], photo.orientation != orientation { return false }
            if let color = query["color"], photo.palette.hue != color { return false }
            return words.isEmpty || photo.matches(words)
        }
    }

    /// `count` of the photos, in no order; the same ones for the same seed and history.
    func sample(_ count: Int, of photos: [CataloguePhoto]) -> [CataloguePhoto] {
        random.withLock { random in Array(photos.shuffled(using: &random).prefix(count)) }
    }
}

extension CataloguePhoto {
    /// Whether every word, in lower case, is in what is said about the photo.
    ///
    /// A plural finds its singular.
    fileprivate func matches(_ words: [Substring]) -> Bool {
        let person = Photographer.all[photographer]
        let texts = [altDescription, description, place?.name, person.name].compactMap { $0?.lowercased() } + tags
        let longest = texts.reduce(0) { max($0, $1.utf8.count) }
        return words.allSatisfy { word in
            let singular = word.hasSuffix("s") ? word.dropLast() : word
            // A search prepares a table of the whole word, for each text of each photo anew: a word of 8 kB took 2 s.
            guard singular.utf8.count <= longest else { return false }
            return texts.contains { $0.contains(singular) }
        }
    }
}

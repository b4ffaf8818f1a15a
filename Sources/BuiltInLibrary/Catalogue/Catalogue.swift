import PictureCoding
import Primitives
import Synchronization

/// The photos of the library.
///
/// Their texts and numbers are generated at the start, a blur, which needs a drawing, when it is first requested.
final class Catalogue: Sendable {
    /// The newest first.
    let photos: [CataloguePhoto]
    /// The number of photos of each photographer.
    let photoCounts: [Int]
    private let random: Lock<SeededRandom>
    private let blurs = Lock<[Int: BlurHash]>([:])

    /// A library of `count` photos, the same ones for the same `seed`.
    init(seed: UInt64, count: Int) {
        photos = (0..<count).reversed().map { CataloguePhoto($0, seed: seed) }
        random = Lock(SeededRandom(seed: seed, stream: 2, number: 0))
        var counts = [Int](repeating: 0, count: Photographer.all.count)
        for photo in photos { counts[photo.photographer] += 1 }
        photoCounts = counts
    }

    /// The photos that have all words of `query` in their texts, and its `orientation` and `color`.
    func search(_ query: WireQuery) -> [CataloguePhoto] {
        let words = SearchWords(query["query"] ?? "")
        return photos.filter { photo in
            if let orientation = query["orientation"], photo.orientation != orientation { return false }
            if let color = query["color"], photo.palette.hue != color { return false }
            return words.areAll(in: photo.texts)
        }
    }

    /// `count` of the photos, in random order; the same ones for the same seed and history.
    func sample(_ count: Int, of photos: [CataloguePhoto]) -> [CataloguePhoto] {
        random.withLock { random in Array(photos.shuffled(using: &random).prefix(count)) }
    }

    /// The photo with an id, or with a slug in any language: a slug ends with the id.
    func photo(idOrSlug text: String) -> CataloguePhoto? {
        let (words, id) = (text.dropLast(CataloguePhoto.idLength), text.suffix(CataloguePhoto.idLength))
        guard words.isEmpty || words.hasSuffix("-") else { return nil }
        return photos.first { $0.id == id }
    }

    /// The blur of a photo; its mean is the colour of the photo.
    func blur(of photo: CataloguePhoto) -> BlurHash {
        if let blur = blurs.withLock({ $0[photo.number] }) { return blur }
        // Drawn outside the lock: two callers at once draw the same twice instead of waiting.
        let blur = BlurHash(of: photo)
        blurs.withLock { $0[photo.number] = blur }
        return blur
    }
}

extension CataloguePhoto {
    /// The texts that a search looks into.
    fileprivate var texts: [String] {
        [altDescription, description, location?.name, Photographer.all[photographer].name].compactMap(\.self) + tags
    }
}

/// The words of a search, in any case; a plural finds its singular, and words after the twentieth are ignored.
struct SearchWords: Sendable {
    /// Each once: a search for one word 400 times took 0.8 s.
    private let words: Set<Substring>

    init(_ text: String) {
        let all = text.lowercased().split(whereSeparator: \.isWhitespace)
        words = Set(all.prefix(20).map { word in word.hasSuffix("s") ? word.dropLast() : word })
    }

    /// Whether each word is in one of the texts.
    func areAll(in texts: [String]) -> Bool {
        if words.isEmpty { return true }
        let texts = texts.map { $0.lowercased() }
        let longest = texts.reduce(0) { max($0, $1.utf8.count) }
        return words.allSatisfy { word in
            // A search builds a table of the whole word for each text: a word of 8 kB took 2 s.
            word.utf8.count <= longest && texts.contains { $0.contains(word) }
        }
    }
}

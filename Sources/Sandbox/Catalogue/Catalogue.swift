import PictureCoding
import Primitives
import Synchronization

/// The photos of the library, the newest last.
///
/// Their texts and numbers are generated at the start, a preview, which needs a drawing, when it is first requested.
final class Catalogue: Sendable {
    private let generator: PhotoGenerator
    private let random: Lock<SeededRandom>
    private let state: Lock<[CataloguePhoto]>
    private let previews = Lock<[Int: PhotoPreview]>([:])

    /// A library of `count` photos, the same ones for the same `seed`.
    init(seed: UInt64, count: Int) {
        generator = PhotoGenerator(seed: seed)
        random = Lock(SeededRandom(seed: seed, stream: 2, number: 0))
        state = Lock((0..<count).map(generator.photo))
    }

    /// The photos, the newest last.
    var photos: [CataloguePhoto] { state.withLock { $0 } }

    var newestFirst: [CataloguePhoto] { photos.reversed() }

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

    /// The photo with an id, or with a slug in any language: a slug ends with the id.
    func photo(idOrSlug text: String) -> CataloguePhoto? {
        guard text.count >= PhotoGenerator.idLength else { return nil }
        let (words, id) = (text.dropLast(PhotoGenerator.idLength), text.suffix(PhotoGenerator.idLength))
        guard words.isEmpty || words.hasSuffix("-") else { return nil }
        return photos.first { $0.id == id }
    }

    func photo(file: String) -> CataloguePhoto? { photos.first { $0.file == file } }

    func photoCount(ofPhotographer index: Int) -> Int { photos.count { $0.photographer == index } }

    /// Adds `count` photos, newer than all others, so every list shifts by this number.
    func publish(_ count: Int) {
        state.withLock { photos in
            for _ in 0..<count { photos.append(generator.photo(photos.count)) }
        }
    }

    func preview(of photo: CataloguePhoto) -> PhotoPreview {
        if let preview = previews.withLock({ $0[photo.number] }) { return preview }
        // Drawn outside the lock: two callers at once draw the same twice instead of waiting.
        let preview = PhotoPreview(of: photo)
        previews.withLock { $0[photo.number] = preview }
        return preview
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

/// The mean colour and the blur of a picture, which clients show until they have the picture.
struct PhotoPreview: Sendable, Equatable {
    let color: RGB
    let blurHash: String

    init(of photo: CataloguePhoto) {
        let size = PictureSize(of: photo, width: 32, height: 32, dpr: 1, fit: "clip")
        let renderer = LandscapeRenderer(photo, size, dithers: true)
        var row = [UInt8](repeating: 0, count: size.width * 3)
        var pixels: [RGB] = []
        for number in 0..<size.height {
            row.withUnsafeMutableBufferPointer { renderer.draw(row: number, into: $0) }
            for start in stride(from: 0, to: row.count, by: 3) {
                pixels.append(RGB(row[start], row[start + 1], row[start + 2]))
            }
        }
        let hash = BlurHash(of: pixels, width: size.width, height: size.height, horizontal: 4, vertical: 3)
        color = hash.average
        blurHash = hash.text
    }
}

/// A photo of the library: everything in its payload that does not depend on the request.
struct CataloguePhoto: Sendable, Hashable {
    /// Its index in the order of creation; the number and the library's seed determine all the rest.
    let number: Int
    /// Eleven characters of `[A-Za-z0-9_-]`; may begin with `-`, as those of the upstream.
    let id: String
    /// Words and the id, joined by `-`; the id alone for a photo without a description.
    let slug: String
    /// The upstream's slugs in other languages, by language.
    let alternativeSlugs: [(language: String, slug: String)]
    /// The size of the original, in pixels.
    let width: Int
    let height: Int
    /// The photographer's words: often nil, sometimes empty.
    let description: String?
    /// The upstream's words for screen readers; sometimes nil.
    let altDescription: String?
    /// Lower case, for search.
    let tags: [String]
    let subject: Subject
    let palette: Palette
    let landscapeSeed: UInt64
    /// The last part of its image path, such as `photo-1719937050792-a6a15d899281`.
    let file: String
    /// An index into ``Photographer/all``.
    let photographer: Int
    /// Unix times, in seconds.
    let createdAt: Int
    let updatedAt: Int
    let promotedAt: Int?
    let likes: Int
    let views: Int
    let downloads: Int
    let topics: [Topic]
    let camera: Camera?
    let location: PhotoLocation?

    /// Part of the paid library.
    var isPremium: Bool { number % 37 == 5 }
    var isSponsored: Bool { number % 31 == 7 }
    /// Photos from before the upstream computed these have none.
    var hasColor: Bool { number % 43 != 4 }
    var hasBlurHash: Bool { number % 47 != 9 }

    /// The upstream's three orientations: its search filter `orientation`.
    var orientation: String {
        switch Double(width) / Double(height) {
        case 1.1...: "landscape"
        case ..<0.9: "portrait"
        default: "squarish"
        }
    }

    static let idLength = 11

    private static let hexadecimalDigits = Array("0123456789abcdef".utf8)
    private static let slugCharacters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let idCharacters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8) + slugCharacters + Array("_-".utf8)

    /// Generates the photo: the same one for the same seed and number.
    init(_ number: Int, seed: UInt64) {
        var random = SeededRandom(seed: seed, stream: 1, number: number)
        func word(_ length: Int, of characters: [UInt8]) -> String {
            String(decoding: (0..<length).map { _ in random.pick(characters) }, as: UTF8.self)
        }
        self.number = number
        id = word(Self.idLength, of: Self.idCharacters)
        subject = random.pick(Subject.allCases)
        palette = random.pick(Palette.all(of: subject))
        (width, height) = Self.size(number, &random)
        let wording = Vocabulary.of(subject)
        (description, altDescription) = Self.texts(wording, palette, number, &random)
        // 2024-01-01T00:00:00Z; a photo is taken every five hours or so.
        createdAt = 1_704_067_200 + number * 18_000 + random.below(18_000)
        let words = altDescription?.lowercased().utf8.split { !Self.slugCharacters.contains($0) } ?? []
        slug = words.map { "\(Substring($0))-" }.joined() + id
        alternativeSlugs = wording.slugWords.map { [id] in ($0.language, "\($0.words)-\(id)") }
        tags = wording.tags + [palette.hue]
        landscapeSeed = random.next()
        let fileNumber = 100 + random.below(900)
        file =
            "\(number % 37 == 5 ? "premium_" : "")photo-\(createdAt)\(fileNumber)-\(word(12, of: Self.hexadecimalDigits))"
        photographer = random.below(Photographer.all.count)
        updatedAt = createdAt + 86_400 + random.below(30 * 86_400)
        promotedAt = random.chance(30) ? createdAt + random.below(172_800) : nil
        likes = random.below(30) * random.below(40)
        views = 1_000 + random.below(4_000_000)
        downloads = random.below(30_000)
        topics = Topic.all.filter { [subject] topic in topic.subjects.contains(subject) && random.chance(topic.share) }
        camera = random.chance(80) ? random.pick(Camera.all) : nil
        location = random.chance(55) ? random.pick(PhotoLocation.all) : nil
    }

    /// Shapes and sizes of real cameras, and sometimes 89 million pixels, the upstream's largest.
    private static func size(_ number: Int, _ random: inout SeededRandom) -> (width: Int, height: Int) {
        if number % 149 == 20 { return (7708, 11562) }
        let shapes = [(3, 2), (3, 2), (2, 3), (2, 3), (4, 3), (3, 4), (4, 5), (16, 9), (9, 16), (1, 1), (21, 9)]
        let (across, down) = random.pick(shapes)
        let longer = 3_000 + random.below(40) * 100
        return across >= down ? (longer, longer * down / across) : (longer * across / down, longer)
    }

    /// The two descriptions of a photo: often only one of them, sometimes neither.
    private static func texts(
        _ wording: Vocabulary,
        _ palette: Palette,
        _ number: Int,
        _ random: inout SeededRandom
    ) -> (description: String?, alt: String?) {
        let caption = random.pick(wording.captions)
        let description = "\(random.pick(wording.altDescriptions)) \(palette.time)"
        let isSilent = random.chance(58)
        if number % 41 == 3 { return (nil, nil) }
        // The upstream writes a missing description as "" as well.
        if number % 53 == 6 { return ("", random.chance(50) ? description : nil) }
        return (isSilent ? nil : caption, random.chance(94) ? description : nil)
    }

    static func == (first: CataloguePhoto, second: CataloguePhoto) -> Bool { first.id == second.id }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

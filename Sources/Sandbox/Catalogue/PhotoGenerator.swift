/// Generates the photos of the library: the same one for the same seed and number.
struct PhotoGenerator: Sendable {
    let seed: UInt64

    static let idLength = 11

    /// 2024-01-01T00:00:00Z; a photo is taken every five hours or so.
    private static let firstDay = 1_704_067_200
    private static let interval = 18_000

    func photo(_ number: Int) -> CataloguePhoto {
        var random = SeededRandom(seed: seed, stream: 1, number: number)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
        let id = String((0..<Self.idLength).map { _ in random.pick(alphabet) })
        let subject = random.pick(Subject.allCases)
        let palette = random.pick(Palette.all(of: subject))
        let (width, height) = size(number, &random)
        let wording = Vocabulary.of(subject)
        let (description, alt) = texts(wording, palette, number, &random)
        let createdAt = Self.firstDay + number * Self.interval + random.below(Self.interval)
        let isPremium = number % 37 == 5
        return CataloguePhoto(
            number: number,
            id: id,
            slug: alt.map { "\(slugWords($0))-\(id)" } ?? id,
            alternativeSlugs: wording.slugWords.map { ($0.language, "\($0.words)-\(id)") },
            width: width,
            height: height,
            description: description,
            altDescription: alt,
            tags: wording.tags + [palette.hue],
            subject: subject,
            palette: palette,
            landscapeSeed: random.next(),
            file: "\(isPremium ? "premium_photo" : "photo")-\(createdAt)\(fileNumber(&random))",
            photographer: random.below(Photographer.all.count),
            createdAt: createdAt,
            updatedAt: createdAt + 86_400 + random.below(30 * 86_400),
            promotedAt: random.chance(30) ? createdAt + random.below(172_800) : nil,
            likes: random.below(30) * random.below(40),
            views: 1_000 + random.below(4_000_000),
            downloads: random.below(30_000),
            isSponsored: number % 31 == 7,
            isPremium: isPremium,
            hasColor: number % 43 != 4,
            hasBlurHash: number % 47 != 9,
            topics: Topic.all.filter { $0.subjects.contains(subject) && random.chance($0.share) },
            camera: random.chance(80) ? random.pick(Camera.all) : nil,
            location: random.chance(55) ? random.pick(PhotoLocation.all) : nil
        )
    }

    /// Shapes and sizes of real cameras, and sometimes 89 million pixels, the upstream's largest.
    private func size(_ number: Int, _ random: inout SeededRandom) -> (width: Int, height: Int) {
        if number % 149 == 20 { return (7708, 11562) }
        let shapes = [(3, 2), (3, 2), (2, 3), (2, 3), (4, 3), (3, 4), (4, 5), (16, 9), (9, 16), (1, 1), (21, 9)]
        let (across, down) = random.pick(shapes)
        let longer = 3_000 + random.below(40) * 100
        return across >= down ? (longer, longer * down / across) : (longer * across / down, longer)
    }

    /// The two descriptions of a photo: often only one of them, sometimes neither.
    private func texts(
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

    private func slugWords(_ text: String) -> String {
        text.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.joined(separator: "-")
    }

    /// Three digits, and twelve hexadecimal ones.
    private func fileNumber(_ random: inout SeededRandom) -> String {
        let number = 100 + random.below(900)
        return "\(number)-" + String((0..<12).map { _ in random.pick(Array("0123456789abcdef")) })
    }
}

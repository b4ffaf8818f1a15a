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
    let isSponsored: Bool
    /// Part of the paid library.
    let isPremium: Bool
    /// Photos from before the upstream computed these have none.
    let hasColor: Bool
    let hasBlurHash: Bool
    let topics: [Topic]
    let camera: Camera?
    let location: PhotoLocation?

    /// The upstream's three orientations: its search filter `orientation`.
    var orientation: String {
        switch Double(width) / Double(height) {
        case 1.1...: "landscape"
        case ..<0.9: "portrait"
        default: "squarish"
        }
    }

    static func == (first: CataloguePhoto, second: CataloguePhoto) -> Bool {
        first.id == second.id
    }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A photo of the library: everything the wire says about it that does not depend on who asks, and when.
struct CataloguePhoto: Sendable, Equatable {
    /// Its place in the order of creation, from 0; what it is follows from this and the library's seed.
    let number: Int
    /// Eleven characters of `[A-Za-z0-9_-]`; may begin with `-`, as the upstream's do.
    let id: String
    /// Words and the id, joined by `-`; the id alone for a photo that nobody described.
    let slug: String
    /// The upstream's slugs in other languages, by language.
    let alternativeSlugs: [(language: String, slug: String)]
    /// The size of the original, in pixels.
    let width: Int
    let height: Int
    /// What the photographer wrote: often nil, sometimes empty.
    let description: String?
    /// What the upstream's own describer wrote; sometimes nil.
    let altDescription: String?
    /// Lower case, for search.
    let tags: [String]
    let subject: Subject
    let palette: Palette
    let sceneSeed: UInt64
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
    /// Part of the paid library: its pictures are served from the premium host.
    let isPremium: Bool
    /// Photos from before the upstream computed these have none.
    let hasColor: Bool
    let hasBlurHash: Bool
    let topics: [Topic]
    let camera: Camera?
    let place: Place?

    /// The picture, ready to be drawn at any size.
    var scene: Scene { Scene(subject, palette: palette, seed: sceneSeed) }

    var aspectRatio: Float { Float(width) / Float(height) }

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
}

import PictureCoding
import Testing

@testable import BuiltInLibrary

@Suite("Catalogue")
struct CatalogueTests {
    private let photos = Catalogue(seed: 0x5F12_96BA_1200_0001, count: 900).photos

    @Test("ids are unique and have eleven characters of the upstream's alphabet; slugs end with them")
    func identifiers() throws {
        #expect(photos.count == 900)
        #expect(Set(photos.map(\.id)).count == 900)
        #expect(Set(photos.map(\.file)).count == 900)
        let id = /[A-Za-z0-9_-]{11}/
        let slug = /([a-z0-9]+-)*[A-Za-z0-9_-]{11}/
        for photo in photos {
            #expect(photo.id.wholeMatch(of: id) != nil)
            #expect(photo.slug.wholeMatch(of: slug) != nil && photo.slug.hasSuffix(photo.id))
        }
        // Ids that break some clients: one that looks like a flag, and one with an underscore.
        #expect(photos.contains { $0.id.hasPrefix("-") })
        #expect(photos.contains { $0.id.contains("_") })
    }

    @Test("a photo is found only by its id and by its slug in every language")
    func lookup() {
        let catalogue = Catalogue(seed: 2, count: 30)
        for photo in catalogue.photos {
            #expect(catalogue.photo(idOrSlug: photo.id) == photo)
            #expect(catalogue.photo(idOrSlug: photo.slug) == photo)
            for slug in photo.alternativeSlugs { #expect(catalogue.photo(idOrSlug: slug.slug) == photo) }
            #expect(catalogue.photo(idOrSlug: "x" + photo.id) == nil)
            #expect(catalogue.photo(idOrSlug: photo.id + "x") == nil)
        }
        #expect(catalogue.photo(idOrSlug: "") == nil)
        #expect(catalogue.photo(idOrSlug: "-") == nil)
    }

    @Test("the time of creation rises with the number, and a photo does not depend on the size of its library")
    func time() {
        let photos = Catalogue(seed: 4, count: 57).photos
        let times = photos.map(\.createdAt)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 > $1 })
        #expect(photos.dropFirst(7).map(\.id) == Catalogue(seed: 4, count: 50).photos.map(\.id))
    }

    @Test("a photo's blur has the length of its first character, and its mean is the photo's colour")
    func previews() throws {
        let catalogue = Catalogue(seed: 5, count: 40)
        for photo in catalogue.photos {
            let drawn = catalogue.blur(of: photo)
            #expect(drawn.text.count == 4 + 2 * 4 * 3)
            let blur = try #require(BlurHash(drawn.text))
            #expect(blur.horizontal == 4 && blur.vertical == 3)
            #expect(blur.average == drawn.average)
        }
    }
}

import Testing

@testable import Sandbox

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
            #expect(catalogue.photo(file: photo.file) == photo)
        }
        #expect(catalogue.photo(idOrSlug: "") == nil)
        #expect(catalogue.photo(idOrSlug: "-") == nil)
    }

    @Test("members that may be null on the upstream may be null here: description, alternative, colour, hash, place")
    func nulls() {
        let share = { (isIn: (CataloguePhoto) -> Bool) in Double(photos.count(where: isIn)) / 900 }
        // Observed on the upstream: 10 to 80 % of a page.
        #expect((0.4...0.75).contains(share { $0.description == nil }))
        #expect((0.02...0.2).contains(share { $0.altDescription == nil }))
        #expect((0.01...0.1).contains(share { $0.altDescription == nil && $0.description == nil }))
        #expect(photos.contains { $0.description?.isEmpty == true && $0.altDescription == nil })
        #expect(photos.contains { !$0.hasColor } && photos.contains { !$0.hasBlurHash })
        #expect(photos.contains { $0.location == nil } && photos.contains { $0.camera == nil })
        // Without words the slug is the id, as observed on the upstream.
        #expect(photos.filter { $0.altDescription == nil }.allSatisfy { $0.slug == $0.id })
    }

    @Test("the first page has a sponsored and a paid photo, and the library has a few of each")
    func specials() {
        let firstPage = photos.suffix(30)
        #expect(firstPage.contains(where: \.isSponsored) && firstPage.contains(where: \.isPremium))
        #expect((10...60).contains(photos.count(where: \.isSponsored)))
        #expect((10...60).contains(photos.count(where: \.isPremium)))
        #expect(photos.allSatisfy { $0.isPremium == $0.file.hasPrefix("premium_photo-") })
    }

    @Test("texts have quotes, brackets, ampersands, several scripts and emoji of several scalars")
    func texts() {
        let words = photos.compactMap(\.description).joined() + Photographer.all.map(\.name).joined()
        for mark in ["\"", "<", "&", "'", "👨‍👩‍👧‍👦", "山", "الر", "Сев", "θά", "बह", "바다", "ג"] {
            let found = words.lowercased().contains(mark.lowercased())
            #expect(
                found
                    || Photographer.all.contains {
                        $0.bio?.contains(mark) == true || $0.location?.contains(mark) == true
                    }
                    || Vocabulary.of(.meadows).captions.joined().contains(mark),
                "\(mark)"
            )
        }
    }

    @Test("photos have many shapes, and some originals have 89 million pixels, as the upstream's largest")
    func shapes() {
        let ratios = Set(photos.map { (Double($0.width) / Double($0.height) * 20).rounded() })
        #expect(ratios.count >= 8)
        #expect(Set(photos.map(\.orientation)) == ["landscape", "portrait", "squarish"])
        #expect(photos.contains { $0.width * $0.height > 89_000_000 })
    }

    @Test("the time of creation rises with the number, also for photos that are published later")
    func time() {
        let catalogue = Catalogue(seed: 4, count: 50)
        catalogue.publish(7)
        let times = catalogue.photos.map(\.createdAt)
        #expect(times.count == 57)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        // Number 52 is the same photo, whether it is published later or exists from the start.
        #expect(catalogue.photos[52].id == Catalogue(seed: 4, count: 60).photos[52].id)
    }
}

import PictureCoding
import Testing

@testable import Sandbox

@Suite("Colours and blurs of photos")
struct PreviewTests {
    @Test("a photo's blur has the length of its first character, and its mean is the photo's colour")
    func photos() throws {
        for photo in catalogue.photos {
            let preview = catalogue.preview(of: photo)
            #expect(preview.blurHash.count == 4 + 2 * 4 * 3)
            let blur = try #require(BlurHash(preview.blurHash))
            #expect(blur.horizontal == 4 && blur.vertical == 3)
            #expect(blur.average == preview.color)
        }
    }

    private let catalogue = Catalogue(seed: 5, count: 40)
}

import BuiltInLibrary
import Foundation
import TestSupport
import Testing

@Suite("Single photos on the wire")
struct PhotoTests {
    private let library = LibraryFixture(clock: .fixed())

    @Test("a detail is that of the photo of a list, by id and by slug")
    func detail() async throws {
        let listed = try await library.ask("/photos?per_page=30").list()
        for photo in listed.prefix(12) {
            let id = try JSONShape.text(photo["id"])
            let detail = try await library.ask("/photos/\(id)")
            #expect(try JSONShape.text(detail.object()["id"]) == id)
            for other in ["x\(id)", "\(id)x"] { #expect(try await library.ask("/photos/\(other)").status == 404) }
            #expect(try await library.ask("/photos/\(JSONShape.text(photo["slug"]))").bytes == detail.bytes)
        }
    }

    @Test("an encoded slug in Japanese finds its photo")
    func japanese() async throws {
        let photo = try #require(try await library.ask("/photos").list().first)
        let slug = try JSONShape.text(JSONShape.object(photo["alternative_slugs"])["ja"])
        let encoded = try #require(slug.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        #expect(try await library.ask("/photos/\(encoded)").object()["id"] as? String == photo["id"] as? String)
    }

    @Test("an unknown photo gets the upstream's text", arguments: ["/photos/abc123", "/photos/abc123/download?ixid=x"])
    func unknown(target: String) async throws {
        let answer = try await library.ask(target)
        #expect(answer.status == 404)
        #expect(answer.text == "{\"errors\":[\"Couldn't find Photo\"]}")
    }

    @Test("random is an object, or with `count` a list of up to 30 photos; without a match it is 404")
    func random() async throws {
        let one = try await library.ask("/photos/random").object()
        #expect(one["views"] is Int)
        let other = try await library.ask("/photos/random").object()
        #expect(one["id"] as? String != other["id"] as? String)
        #expect(try await library.ask("/photos/random?count=1").list().count == 1)
        let many = try await library.ask("/photos/random?count=99&orientation=portrait").list()
        #expect(many.count == 30)
        #expect(Set(many.compactMap { $0["id"] as? String }).count == 30)
        #expect(try many.allSatisfy { try JSONShape.integer($0["width"]) < JSONShape.integer($0["height"]) })
        let nobody = try await library.ask("/photos/random?username=bigfoot")
        #expect(nobody.status == 404 && nobody.text == "{\"errors\":[\"Couldn't find User\"]}")
        #expect(try await library.ask("/photos/random?query=zeppelin").status == 404)
    }

    @Test("a download is reported with its ixid, and refused without one")
    func download() async throws {
        let photo = try #require(try await library.ask("/photos").list().first)
        let location = try JSONShape.text(JSONShape.object(photo["links"])["download_location"])
        let target = try #require(location.components(separatedBy: "library.test:81").last)
        let answer = try await library.ask(target)
        #expect(try JSONShape.text(answer.object()["url"]).hasPrefix("http://library.test:81/images/"))
        let path = try #require(target.split(separator: "?").first)
        #expect(try await library.ask(String(path)).status == 422)
        #expect(try await library.ask(path + "?ixid=").status == 422)
    }
}

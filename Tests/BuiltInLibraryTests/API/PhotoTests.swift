import BuiltInLibrary
import Foundation
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

@Suite("Single photos on the wire")
struct PhotoTests {
    private let library = LibraryFixture(clock: .fixed())

    @Test("a detail is that of the photo of a list, by id and by slug")
    func detail() async throws {
        let listed = try await library.ask("/photos?per_page=30").list()
        for photo in listed.prefix(12) {
            let id = try photo["id"].string()
            let detail = try await library.ask("/photos/\(id)")
            #expect(try detail.object()["id"].string() == id)
            for other in ["x\(id)", "\(id)x"] { #expect(try await library.ask("/photos/\(other)").status == 404) }
            #expect(try await library.ask("/photos/\(photo["slug"].string())").bytes == detail.bytes)
        }
    }

    @Test("an encoded slug in Japanese finds its photo")
    func japanese() async throws {
        let photos = try await library.ask("/photos")
        let slug = try #require(photos.string("/0/alternative_slugs/ja"))
        let encoded = try #require(slug.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        #expect(try await library.ask("/photos/\(encoded)").string("/id") == photos.string("/0/id"))
    }

    @Test("an unknown photo gets the upstream's text", arguments: ["/photos/abc123", "/photos/abc123/download?ixid=x"])
    func unknown(target: String) async throws {
        let answer = try await library.ask(target)
        #expect(answer.status == 404)
        #expect(answer.text == "{\"errors\":[\"Couldn't find Photo\"]}")
    }

    @Test("random is an object, or with `count` a list of up to 30 photos; without a match it is 404")
    func random() async throws {
        let one = try await library.ask("/photos/random")
        #expect(one.number("/views") != nil)
        #expect(try await library.ask("/photos/random").string("/id") != one.string("/id"))
        #expect(try await library.ask("/photos/random?count=1").list().count == 1)
        let many = try await library.ask("/photos/random?count=99&orientation=portrait").list()
        #expect(many.count == 30)
        #expect(try Set(many.map { try $0["id"].string() }).count == 30)
        #expect(try many.allSatisfy { try $0["width"].integer() < $0["height"].integer() })
        let nobody = try await library.ask("/photos/random?username=bigfoot")
        #expect(nobody.status == 404 && nobody.text == "{\"errors\":[\"Couldn't find User\"]}")
        #expect(try await library.ask("/photos/random?query=zeppelin").status == 404)
    }

    @Test("a download is reported with its ixid, and refused without one")
    func download() async throws {
        let location = try #require(try await library.ask("/photos").string("/0/links/download_location"))
        let target = try #require(location.components(separatedBy: "library.test:81").last)
        let answer = try await library.ask(target)
        #expect(answer.string("/url")?.hasPrefix("http://library.test:81/images/") == true)
        let path = try #require(target.split(separator: "?").first)
        #expect(try await library.ask(String(path)).status == 422)
        #expect(try await library.ask(path + "?ixid=").status == 422)
    }
}

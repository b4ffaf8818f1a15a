import BuiltInLibrary
import HTTPExchange
import HTTPTypes
import JSON
import ServiceHarness
import TestSupport
import Testing

@Suite("Lists on the wire")
struct ListTests {
    private let clock = TestClock.fixed()
    private let library: LibraryFixture

    init() {
        library = LibraryFixture(clock: clock)
    }

    @Test("a page has the upstream's fields")
    func page() async throws {
        let answer = try await library.ask("/photos?page=2&per_page=30")
        #expect(answer.status == 200)
        #expect(answer.fields[.contentType] == "application/json")
        #expect(answer.fields[.cacheControl] == "no-cache, no-store, must-revalidate")
        #expect(answer.fields[.vary] == "Origin, Authorization")
        #expect(answer.fields[.eTag] == nil)
        #expect(answer.fields[.xTotal] == "900" && answer.fields[.xPerPage] == "30")
        #expect(
            answer.fields[.link]?.hasPrefix("<http://library.test:81/photos?page=1&per_page=30>; rel=\"first\"") == true
        )
    }

    @Test(
        "per_page is 10 by default and at most 30; page 0 is page 1; invalid values are the default",
        arguments: [
            ("", 0..<10, 10), ("page=0", 0..<10, 10), ("page=-4", 0..<10, 10), ("page=2", 10..<20, 10),
            ("per_page=30", 0..<30, 30), ("per_page=31", 0..<30, 30), ("per_page=100&page=3", 60..<90, 30),
            ("per_page=0", 0..<10, 10), ("page=x&per_page=y", 0..<10, 10), ("page=113&per_page=8", 896..<900, 8),
            ("page=91", 900..<900, 10), ("page=9223372036854775807", 900..<900, 10), ("page=1&page=2", 10..<20, 10),
        ]
    )
    func ranges(query: String, range: Range<Int>, size: Int) async throws {
        let answer = try await library.ask("/photos?\(query)")
        #expect(try answer.list().map { try $0["id"].string() } == Array(library.library.photoIDs[range]))
        #expect(answer.fields[.xPerPage] == "\(size)")
    }

    /// The order first, prev, last, next and the sorted keys are those of the recorded exchanges (research/photos.md,
    /// section 1, "Response headers").
    @Test("Link has the upstream's order, only other pages, and the client's query without its key, sorted")
    func links() async throws {
        let base = "http://library.test:81/photos"
        for (query, link) in [
            (
                "per_page=6&order_by=latest",
                """
                <\(base)?order_by=latest&page=150&per_page=6>; rel="last", \
                <\(base)?order_by=latest&page=2&per_page=6>; rel="next"
                """
            ),
            (
                "page=2",
                """
                <\(base)?page=1>; rel="first", <\(base)?page=1>; rel="prev", \
                <\(base)?page=90>; rel="last", <\(base)?page=3>; rel="next"
                """
            ),
            (
                "page=90&x=a%2Cb%22+c&client_id=secret",
                """
                <\(base)?page=1&x=a%2Cb%22%20c>; rel="first", <\(base)?page=89&x=a%2Cb%22%20c>; rel="prev"
                """
            ),
        ] {
            #expect(try await library.ask("/photos?\(query)").fields[.link] == link)
        }
        for single in ["/topics", "/search/photos?query=zeppelin"] {
            #expect(try await library.ask(single).fields[.link] == nil)
        }
    }

    @Test("the addresses of pictures have an ixid of their time")
    func urls() async throws {
        let first = try await library.ask("/photos?page=3&per_page=7")
        clock.advance(seconds: 1)
        let later = try await library.ask("/photos?page=3&per_page=7")
        #expect(first.text != later.text)
        #expect(first.text.replacing(/ixid=[\w-]+/, with: "") == later.text.replacing(/ixid=[\w-]+/, with: ""))
    }

    @Test("a collection has the number of its photos and one of them, a photo the statistics of thirty days")
    func collections() async throws {
        let collections = try await library.ask("/collections").list()
        #expect(collections.count == 4)
        for collection in collections {
            let id = try collection["id"].string()
            let photos = try await library.ask("/collections/\(id)/photos")
            #expect(photos.fields[.xTotal] == String(try collection["total_photos"].integer()))
            #expect(try collection["cover_photo"].object()["id"].string() == photos.string("/0/id"))
            #expect(try await library.ask("/collections/\(id)").string("/title") == collection["title"].string())
        }
        let statistics = try await library.ask("/photos/\(library.library.photoIDs[0])/statistics")
        #expect(statistics.count("/views/historical/values") == 30)
    }

    @Test(
        "a search of collections and users finds all words, in any case",
        arguments: [
            ("/search/collections?query=QUIET", ["1201"]), ("/search/collections?query=wide+far", ["1202"]),
            ("/search/collections?query=wide+near", []), ("/search/users?query=tala", ["U-tala"]),
            ("/search/users?query=KOVAL", []), ("/search/users?query=\(String(repeating: "a", count: 8000))", []),
        ]
    )
    func otherSearches(target: String, ids: [String]) async throws {
        let answer = try await library.ask(target).object()
        #expect(try answer["results"].array().map { try $0.object()["id"].string() } == ids)
        #expect(try answer["total"].integer() == ids.count)
        #expect(try await library.ask("/search/users?query=%20").status == 400)
        #expect(try await library.ask("/search/topics?query=a").status == 404)
    }

    @Test("topics, collections and users have lists of the same shape; unknown ones get the upstream's text")
    func otherLists() async throws {
        let topics = try await library.ask("/topics").list()
        #expect(topics.count == 6)
        for topic in topics {
            let slug = try topic["slug"].string()
            let answer = try await library.ask("/topics/\(slug)/photos?per_page=5")
            #expect(answer.fields[.xTotal] == String(try topic["total_photos"].integer()))
            for photo in 0..<5 { #expect(answer.value("/\(photo)/topic_submissions/\(slug)") != nil) }
            let oldest = try await library.ask("/topics/\(slug)/photos?per_page=5&order_by=oldest")
            #expect(oldest.string("/0/id") != answer.string("/0/id"))
        }
        for list in ["topics/drylands", "collections/1201", "users/tala"] {
            let portraits = try await library.ask("/\(list)/photos?orientation=portrait").list()
            #expect(portraits.count > 1)
            for photo in portraits { #expect(try photo["width"].integer() < photo["height"].integer()) }
        }
        let newest = try await library.ask("/users/tala/photos?per_page=1")
        let total = try #require(newest.fields[.xTotal])
        let last = try await library.ask("/users/tala/photos?per_page=1&page=\(total)").string("/0/id")
        #expect(try await library.ask("/users/tala/photos?order_by=oldest").string("/0/id") == last)
        #expect(last != newest.string("/0/id"))
        #expect(try await library.ask("/topics/drylands").string("/title") == "Drylands")
        #expect(try await library.ask("/collections/1204/photos").list().count == 1)
        let user = try await library.ask("/users/maren_holt/photos").list()
        #expect(try user.allSatisfy { try $0["user"].object()["name"].string() == "Maren Holt" })
        #expect(try await library.ask("/users/dmitry.k").string("/location") == "Мурманск")
        #expect(try await library.ask("/users/nobody").status == 404)
        for (path, what) in [
            ("/topics/none", "Topic"), ("/topics/none/photos", "Topic"), ("/collections/9/photos", "Collection"),
            ("/users/nobody/photos", "User"), ("/nothing", "Page"),
        ] {
            let answer = try await library.ask(path)
            #expect(answer.status == 404)
            #expect(answer.text == "{\"errors\":[\"Couldn't find \(what)\"]}")
            #expect(answer.fields[.cacheControl] == "no-cache")
        }
    }
}

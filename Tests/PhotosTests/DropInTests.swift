import HTTPExchange
import HTTPTypes
import JSON
import PhotoLibrary
import Photos
import ServiceHarness
import Testing

@Suite("The library's own API at /unsplash")
struct DropInTests {
    private let host: Fields = [.host: "photos.example:8080"]

    private func ids(_ response: Response) throws -> [String] {
        try JSON.parse(response.bytes).array().map { try $0.object()["id"].string() }
    }

    @Test("pages of any size are made from pages of thirty, each of which is fetched once")
    func pages() async throws {
        let fixture = try PhotoFixture()
        #expect(try ids(await fixture.get("/unsplash/photos")) == (1...10).map { "p\($0)" })
        #expect(try ids(await fixture.get("/unsplash/photos?page=2&per_page=10")) == (11...20).map { "p\($0)" })
        #expect(try ids(await fixture.get("/unsplash/photos?page=2&per_page=20")) == (21...40).map { "p\($0)" })
        #expect(try ids(await fixture.get("/unsplash/photos?page=0&per_page=500")) == (1...30).map { "p\($0)" })
        #expect(try ids(await fixture.get("/unsplash/photos?page=40")).isEmpty)
        #expect(
            fixture.library.calls == [
                "/photos?page=1&per_page=30", "/photos?page=2&per_page=30", "/photos?page=14&per_page=30",
            ]
        )
    }

    @Test("fields are those of the library, but links and limit are those of the service")
    func fields() async throws {
        let fixture = try PhotoFixture()
        let response = try await fixture.get("/unsplash/photos?page=2&per_page=10&order_by=latest", fields: host)
        let entry = try JSON.parse(response.bytes).array()[0].object()
        #expect(try entry["note"].string() == "a \"quoted\" text, with ] and }")
        #expect(response.fields[.xTotal] == "90")
        #expect(response.fields[.xPerPage] == "10")
        #expect(response.fields[.xRateLimitLimit] == "50")
        #expect(response.fields[.xRateLimitRemaining] == "49")
        let base = "http://photos.example:8080/unsplash/photos?order_by=latest"
        #expect(
            response.fields[.link] == """
                <\(base)&page=1&per_page=10>; rel="first", <\(base)&page=1&per_page=10>; rel="prev", \
                <\(base)&page=9&per_page=10>; rel="last", <\(base)&page=3&per_page=10>; rel="next"
                """
        )
        #expect(response.fields[.eTag] != nil)
    }

    @Test(
        "download reports lead to the service however the library writes its JSON",
        arguments: [
            #""download_location":"https://api.example/photos/p/download?ixid=1""#,
            #""download_location" : "https://api.example/photos/p/download?ixid=1""#,
            #""download_location":\#n\#t"https:\/\/api.example\/photos\/p\/download?ixid=1""#,
        ]
    )
    func spacedEntries(member: String) async throws {
        let fixture = try PhotoFixture()
        fixture.library.set { $0.document = PhotoPayloadTests.photo(adding: member) }
        let location = try await fixture.get("/unsplash/photos/p", fields: host).object()["download_location"].string()
        #expect(location == "http://photos.example:8080/unsplash/photos/p/download?ixid=1")
    }

    /// unsplash-js 7.0.20: `methods/photos/index.ts` and `helpers/url.ts`.
    @Test("a report of unsplash-js, which appends the path of the link to its own address, is a report")
    func unsplashJS() async throws {
        let fixture = try PhotoFixture()
        let photo = try JSON.parse(try await fixture.get("/unsplash/photos", fields: host).bytes).array()[6].object()
        let location = try photo["links"].object()["download_location"].string()
        let link = Target(String(location.dropFirst("http://photos.example:8080".count)))
        #expect(link.path == "/unsplash/photos/p7/download")
        #expect(try await fixture.get("/unsplash\(link.raw)", fields: host).status == .ok)
        #expect(try await fixture.get("/unsplash/unsplash/photos/a.b/download").text.contains("find Photo"))
        #expect(fixture.library.calls == ["/photos?page=1&per_page=30", "/photos/p7/download?ixid=M3w7"])
    }

    @Test("a HEAD of a report reports nothing, because HEAD is safe (RFC 9110, 9.2.1)")
    func headOfReport() async throws {
        for kind in [PhotoService.Configuration.Library.unsplash, .sandbox] {
            let fixture = try PhotoFixture(kind: kind)
            let target = Target("/unsplash/photos/p7/download?ixid=M3w7")
            let head = try await fixture.application.respond(to: Request(method: .head, target: target)).value()
            #expect(head.status == .ok && head.fields[.contentType] == "application/json")
            #expect(head.content.length == nil, "it is not known without a report")
            #expect(fixture.library.calls.isEmpty)
        }
    }

    @Test(
        "the last of repeated parameters counts, and digits beyond all numbers are the largest page and size",
        arguments: [
            ("search/photos?query=b&query=a", "/search/photos?page=1&per_page=30&query=a"),
            ("photos?page=1&page=4", "/photos?page=2&per_page=30"),
            ("photos?page=2&per_page=99999999999999999999", "/photos?page=2&per_page=30"),
            ("photos?per_page=30&page=99999999999999999999", "/photos?page=100000&per_page=30"),
            ("photos?page=-99999999999999999999", "/photos?page=1&per_page=30"),
        ]
    )
    func repeated(target: String, call: String) async throws {
        let fixture = try PhotoFixture()
        #expect(try await fixture.get("/unsplash/\(target)").status == .ok)
        #expect(fixture.library.calls == [call])
    }

    @Test(
        "a document of another kind is 502, and is not kept for /v1",
        arguments: [
            ("/photos/p1", "/photos/p1", "{}"), ("/photos/p1", "/photos/p1", "null"),
            ("/photos/p1", "/photos/p1", "{\"id\":\"p1\"}"), ("/photos?per_page=30", "/photos", "{}"),
            ("/photos?per_page=30", "/photos", "[1,2]"), ("/photos?per_page=30", "/photos", "[{\"id\":\"x\"}]"),
            (
                "/search/photos?query=a&order_by=relevant&content_filter=low", "/search/photos?query=a",
                "{\"results\":null}"
            ),
            ("/topics/t", "/photos", "[]"), ("/users/u", "/photos", "{}"), ("/collections", "/photos", "{}"),
        ]
    )
    func otherDocuments(dropIn: String, target: String, document: String) async throws {
        let fixture = try PhotoFixture()
        fixture.library.set { $0.document = document }
        #expect(try await fixture.get("/unsplash" + dropIn, fields: host).status.code == 502)
        fixture.library.set { $0.document = nil }
        fixture.wait(.seconds(10))
        #expect(try await fixture.get("/v1" + target).status == .ok)
    }

    @Test("a short page of the library hides nothing of the next one")
    func shortPage() async throws {
        let fixture = try PhotoFixture()
        var shown: [String] = []
        fixture.library.set { $0.missing = [3, 9] }
        for page in 1...5 {
            let response = try await fixture.get("/unsplash/photos?per_page=20&page=\(page)", fields: host)
            shown += try JSON.parse(response.bytes).array().map { try $0.object()["id"].string() }
        }
        #expect(shown == (1...90).filter { $0 != 3 && $0 != 9 }.map { "p\($0)" })
    }

    @Test(
        "a page costs one call, whichever API asks first, and with the default values or without",
        arguments: [
            ("/photos", ""), ("/search/photos?query=a", "&order_by=relevant&content_filter=low"),
            ("/topics/t/photos?", "order_by=latest"), ("/collections/7/photos?orientation=portrait", ""),
        ]
    )
    func oneCall(target: String, defaults: String) async throws {
        for paths in [["/v1" + target, "/unsplash" + target], ["/unsplash" + target, "/v1" + target]] {
            let fixture = try PhotoFixture()
            for path in paths + ["/unsplash" + target + defaults] {
                #expect(try await fixture.get(path).status == .ok)
            }
            #expect(fixture.library.calls.count == 1)
        }
    }

    @Test("the order of another list is passed on, also if it has the name of a default")
    func otherOrders() async throws {
        let fixture = try PhotoFixture()
        for target in ["/topics?order_by=latest", "/users/ada/photos?order_by=relevant"] {
            _ = try await fixture.get("/unsplash" + target)
            #expect(fixture.library.calls.last == target + "&page=1&per_page=30")
        }
    }

    @Test("without a total, the links of a list lead to the page before and to the page that may follow")
    func linksWithoutTotal() async throws {
        let fixture = try PhotoFixture()
        fixture.library.set { $0.document = PhotoPayloadTests.list(30) }
        let base = "http://photos.example:8080/unsplash/photos"
        for (page, size, links) in [
            (1, 20, ["next": 2]), (2, 10, ["first": 1, "prev": 1, "next": 3]),
            (3, 10, ["first": 1, "prev": 2, "next": 4]),
        ] {
            let list = try await fixture.get("/unsplash/photos?page=\(page)&per_page=\(size)", fields: host)
            let names = ["first", "prev", "next"].filter { links[$0] != nil }
            let expected = names.map { "<\(base)?page=\(links[$0] ?? 0)&per_page=\(size)>; rel=\"\($0)\"" }
            #expect(list.fields[.link] == expected.joined(separator: ", "))
            #expect(list.fields[.xTotal] == nil)
        }
        fixture.library.set { $0.document = PhotoPayloadTests.list(5) }
        fixture.wait(.seconds(90_000))
        #expect(try await fixture.get("/unsplash/photos?per_page=3").fields[.link]?.contains("next") == true)
        #expect(try await fixture.get("/unsplash/photos?per_page=5").fields[.link] == nil)
    }

    @Test("an error has the rate limit, and is never a page for people")
    func fieldsOfErrors() async throws {
        let fixture = try PhotoFixture()
        let missing = try await fixture.get("/unsplash/photos/none", fields: host)
        #expect(missing.status == .notFound && missing.fields[.xRateLimitRemaining] == "49")
        fixture.library.set { $0.failure = .notFound }
        #expect(try await fixture.get("/unsplash/photos/random?query=x").text == "{\"errors\":[\"No photos found.\"]}")
        for path in ["/unsplash/nothing", "/%75nsplash/nothing"] {
            let unknown = try await fixture.get(path, fields: [.host: "h", .accept: "text/html"])
            #expect(unknown.status == .notFound && unknown.fields[.contentType] == "application/json")
        }
    }

    @Test("a search has totals for the client's page size")
    func search() async throws {
        let fixture = try PhotoFixture()
        let response = try await fixture.get("/unsplash/search/photos?query=a%20b&page=4&per_page=20")
        let root = try response.object()
        #expect(try root["total"].integer() == 90)
        #expect(try root["total_pages"].integer() == 5)
        #expect(try root["results"].array().count == 20)
        #expect(fixture.library.calls.last == "/search/photos?page=3&per_page=30&query=a%20b")
    }

    @Test("the last page is the one with the last photo", arguments: [(1, 90), (7, 13), (29, 4), (30, 3)])
    func lastPage(size: Int, last: Int) async throws {
        let fixture = try PhotoFixture()
        let search = try await fixture.get("/unsplash/search/photos?query=a&per_page=\(size)")
        #expect(try search.object()["total_pages"].integer() == last)
        let list = try await fixture.get("/unsplash/photos?per_page=\(size)", fields: host)
        #expect(try #require(list.fields[.link]).contains("?page=\(last)&per_page=\(size)>; rel=\"last\""))
    }

    @Test("requests that differ only in a client's key, which is dropped, or in encoded letters are equal")
    func keys() async throws {
        let fixture = try PhotoFixture()
        for target in ["h/photos?client_id=secret1", "h/photos?client_id=secret2&unknown=1", "%68/photos"] {
            let response = try await fixture.get("/unsplas\(target)", fields: [.authorization: "Client-ID secret3"])
            #expect(try ids(response) == (1...10).map { "p\($0)" })
        }
        #expect(fixture.library.calls == ["/photos?page=1&per_page=30"])
    }

    @Test(
        "the picture of a photo costs no call after the answer that had the photo",
        arguments: [
            ("/photos", nil), ("/search/photos?query=a", nil), ("/photos/random", PhotoPayloadTests.photo()),
        ] as [(String, String?)]
    )
    func pictures(target: String, document: String?) async throws {
        let fixture = try PhotoFixture(kind: .sandbox)
        fixture.library.set { $0.document = document }
        let response = try await fixture.get("/unsplash\(target)", fields: host)
        let text = String(decoding: response.bytes, as: UTF8.self)
        let address = try #require(text.firstMatch(of: /"regular":"http:\/\/photos.example:8080([^"]*)"/)).1
        #expect(try await fixture.get(String(address)).status == .ok)
        #expect(fixture.library.pictureCalls.count == 1)
        #expect(fixture.library.calls.count == 1)
    }

    @Test(
        "lists, users, collections and statistics are passed on, and fetched once",
        arguments: [
            ("/unsplash/photos/p1", "/photos/p1"), ("/unsplash/users/ada.l?client_id=secret", "/users/ada.l"),
            ("/unsplash/users/ada/photos?order_by=latest", "/users/ada/photos?order_by=latest&page=1&per_page=30"),
            ("/unsplash/photos/p1/statistics?quantity=7", "/photos/p1/statistics?quantity=7"),
            ("/unsplash/collections?page=2", "/collections?page=1&per_page=30"),
            ("/unsplash/collections/7", "/collections/7"),
            ("/unsplash/search/collections?query=a", "/search/collections?page=1&per_page=30&query=a"),
            ("/unsplash/search/users?query=a", "/search/users?page=1&per_page=30&query=a"),
        ]
    )
    func passed(target: String, call: String) async throws {
        let fixture = try PhotoFixture()
        let first = try await fixture.get(target)
        #expect(first.status == .ok)
        #expect(try await fixture.get(target).bytes == first.bytes)
        #expect(fixture.library.calls == [call])
    }

    @Test("an unknown path is 404 in the library's form, and costs no call")
    func unknownPaths() async throws {
        let fixture = try PhotoFixture(tokens: [PhotoFixture.token])
        for target in ["/unsplash/stats/total", "/unsplash/", "/unsplash/users/ada/likes", "/unsplash/photos/p1/x"] {
            let response = try await fixture.get(target, fields: [.authorization: PhotoFixture.bearer])
            #expect(response.status == .notFound)
            #expect(try response.object()["errors"].array()[0].string().contains("is not a path of this service"))
        }
        #expect(fixture.library.calls.isEmpty)
        #expect(try await fixture.get("/v1/unknown", fields: [.authorization: PhotoFixture.bearer]).code == "not-found")
    }

    @Test("a request that another step refuses gets the library's form, too", arguments: [false, true])
    func refusals(hasToken: Bool) async throws {
        let fixture = try PhotoFixture(tokens: [PhotoFixture.token])
        let fields: Fields = hasToken ? [.authorization: PhotoFixture.bearer] : [:]
        for target in ["/unsplash/photos", "/%75nsplash/photos", "/unsplash/collections/7"] {
            let (_, response) = try await fixture.ask(target, method: .post, fields: fields)
            #expect(response.status.code == (hasToken ? 405 : 401))
            #expect(response.fields[hasToken ? .allow : .wwwAuthenticate] != nil)
            #expect(response.fields[.contentType] == "application/json")
            #expect(try response.object()["errors"].array().map { try $0.string() }.count == 1)
        }
        let other = try await fixture.ask("/unsplashed", fields: fields).response
        #expect(other.fields[.contentType] == "application/problem+json")
    }

    @Test(
        "an answer from two pages of the library repeats and lacks no photo that has moved from one to the other",
        // The first page is the old one: p21 to p30 moved to the second. Else both are new.
        arguments: [(1, Array(21...30)), (2, Array(11...30))]
    )
    func moved(known: Int, shown: [Int]) async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/unsplash/photos?page=\(known)&per_page=30")
        fixture.library.set { $0.numbers.insert(contentsOf: 1000...1009, at: 0) }
        fixture.wait(.seconds(1))
        let joined = try await fixture.get("/unsplash/photos?page=2&per_page=20")
        #expect(try ids(joined) == shown.map { "p\($0)" })
        let calls = known == 1 ? 2 : 3
        #expect(fixture.library.calls.count == calls)
        // Stale, they are served, and both are fetched again.
        fixture.wait(.seconds(301))
        #expect(try await fixture.get("/unsplash/photos?page=2&per_page=20").bytes == joined.bytes)
        await fixture.settle()
        #expect(fixture.library.calls.count == calls + 2)
    }

    @Test("an answer from two pages of the library has the cache status of the worse one")
    func status() async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/unsplash/photos?page=2&per_page=30")
        let joined = try await fixture.get("/unsplash/photos?page=2&per_page=20")
        #expect(fixture.library.calls.count == 2)
        #expect(joined.fields[.cacheStatus] == "photos; fwd=miss; stored")
        #expect(
            try await fixture.get("/unsplash/photos?page=2&per_page=20").fields[.cacheStatus]?.contains("; hit") == true
        )
        await fixture.settle()
        fixture.wait(.seconds(4000))
        fixture.library.set { $0.failure = .timedOut }
        let stale = try await fixture.get("/unsplash/photos?page=2&per_page=20")
        #expect(stale.fields[.cacheStatus] == "photos; fwd=stale; detail=timeout")
        #expect(stale.status == .ok && stale.bytes == joined.bytes)
    }
}

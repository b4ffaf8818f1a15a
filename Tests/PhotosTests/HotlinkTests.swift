import HTTPExchange
import HTTPTypes
import JSON
import Photos
import ServiceHarness
import Testing

/// Clients cannot reach the built-in library, which has no address.
@Suite("Hotlinks with the built-in library")
struct HotlinkTests {
    private func hotlinks(_ response: Response) throws -> JSONObject {
        let root = try response.object()
        let photo = try root.optional("items").map { try $0.array()[0].object() } ?? root
        return try photo["hotlinks"].object()
    }

    @Test("hotlinks lead to the service's pictures at the address that the client used, or at the public one")
    func own() async throws {
        let fixture = try PhotoFixture(kind: .sandbox)
        for host in ["a.example:8080", "b.example", "a.example:8080"] {
            for target in ["/v1/photos?limit=1", "/v1/photos/p1", "/v1/photos/p1?detail=full"] {
                let links = try hotlinks(await fixture.get(target, fields: [.host: host]))
                let base = "http://\(host)/v1/photos/p1/image"
                #expect(try links["raw"].string() == base + "/full")
                #expect(try links["full"].string() == base + "/full")
                #expect(try links["regular"].string() == base + "/regular")
                #expect(try links["thumb"].string() == base + "/thumb")
            }
        }
        let known = try PhotoFixture(kind: .sandbox, publicURL: "https://photos.example/app")
        let links = try hotlinks(await known.get("/v1/photos?limit=1", fields: [.host: "inside"]))
        #expect(try links["small"].string() == "https://photos.example/app/v1/photos/p1/image/small")
    }

    @Test("pages for two hosts have different tags, and both are cached")
    func pages() async throws {
        let fixture = try PhotoFixture(kind: .sandbox)
        let first = try await fixture.get("/v1/photos", fields: [.host: "a"])
        let second = try await fixture.get("/v1/photos", fields: [.host: "b"])
        #expect(first.fields[.eTag] != second.fields[.eTag])
        let again = try await fixture.ask("/v1/photos", fields: [.host: "a"])
        #expect(again.isNow && again.response.bytes == first.bytes)
        #expect(again.response.fields[.eTag] == first.fields[.eTag])
        #expect(fixture.library.calls.count == 1)
    }

    @Test("an answer whose links follow from Host is private, and no other is")
    func shared() async throws {
        let sandbox = ["/v1/photos", "/v1/photos/p1", "/v1/photos/p1?detail=full"]
        let dropIn = [
            "/unsplash/photos", "/unsplash/search/photos?query=a", "/unsplash/photos/p1", "/unsplash/topics/t",
        ]
        for (kind, url, targets, scope) in [
            (PhotoService.Configuration.Library.sandbox, nil, sandbox + dropIn, "private"),
            (.unsplash, nil, dropIn, "private"), (.unsplash, nil, sandbox, "public"),
            (.sandbox, "https://photos.example", sandbox + dropIn + ["/v1/photos/p1/image/thumb"], "public"),
        ] {
            let fixture = try PhotoFixture(kind: kind, publicURL: url)
            for target in targets + targets {
                let control = try await fixture.get(target, fields: [.host: "evil.example"]).fields[.cacheControl]
                #expect(control?.hasPrefix("\(scope), max-age=") == true, "\(target)")
            }
            guard targets.contains("/unsplash/photos") else { continue }
            await fixture.settle()
            fixture.wait(.seconds(400))
            let control = try await fixture.get("/unsplash/photos").fields[.cacheControl]
            #expect(control == (url == nil ? "private, no-cache" : "no-cache"))
        }
    }

    @Test("the attribution of a drawn picture names no photographer, and leads to no profile on Unsplash")
    func attribution() async throws {
        let drawn = try await PhotoFixture(kind: .sandbox).get("/v1/photos/p1").object()["attribution"].object()
        #expect(try drawn["text"].string() == "Drawn by the built-in library")
        #expect(try drawn["html"].string() == "Drawn by the built-in library")
        #expect(try drawn["photographerUrl"].string().hasPrefix("https://photos.example/@"))
    }

    @Test("in redirect mode the service sends the pictures itself")
    func redirects() async throws {
        let fixture = try PhotoFixture(imageMode: .redirect, kind: .sandbox)
        _ = try await fixture.get("/v1/photos")
        let response = try await fixture.get("/v1/photos/p1/image/thumb")
        #expect(response.status == .ok)
        #expect(response.bytes == fixture.library.current.picture)
    }

    @Test("the report of a download answers with the service's own picture", arguments: ["p1", "slug-p1"])
    func download(name: String) async throws {
        let fixture = try PhotoFixture(kind: .sandbox)
        let report = try await fixture.get("/unsplash/photos/\(name)/download?ixid=a", fields: [.host: "h"])
        #expect(try report.object()["url"].string() == "http://h/v1/photos/\(name)/image/full")
        #expect(fixture.library.calls == ["/photos/\(name)/download?ixid=a"])
        let other = try await PhotoFixture().get("/unsplash/photos/\(name)/download?ixid=a", fields: [.host: "h"])
        #expect(other.text == "{\"id\":\"x\"}", "the library's own answer")
    }

    @Test("the `urls` of lists and documents of the drop-in lead to the service's pictures, and nothing else changes")
    func dropIn() async throws {
        let fixture = try PhotoFixture(kind: .sandbox)
        func get(_ target: String, _ document: String) async throws -> Response {
            fixture.library.set { $0.document = document }
            return try await fixture.get("/unsplash\(target)", fields: [.host: "h"])
        }
        let photo = PhotoPayloadTests.photo(
            dropping: ["id", "urls"],
            adding: """
                "id":"p1", "a":[{"urls":{"raw":"kept"}}], "urls" : {"raw":"http://127.0.0.1:1/x","full":"http://y",\
                "regular":"http://y","small":"http://y","thumb":"http://y"},"b":"}"
                """
        )
        let list = try await JSON.parse(get("/photos", "[ \(photo) ,\(photo)]").bytes).array()
        #expect(list.count == 2)
        let first = try list[0].object()
        #expect(try first["urls"].object()["thumb"].string() == "http://h/v1/photos/p1/image/thumb")
        #expect(try first["a"].array()[0].object()["urls"].object()["raw"].string() == "kept")
        #expect(try first["b"].string() == "}")
        let single = try await get("/photos/p1", photo)
        #expect(try single.object()["urls"].object()["raw"].string() == "http://h/v1/photos/p1/image/full")
        let cover = try await get("/collections/7", "{\"id\":\"7\",\"cover_photo\":\(photo),\"user\":{}}")
        #expect(
            cover.bytes == Array("{\"id\":\"7\",\"cover_photo\":".utf8) + single.bytes + Array(",\"user\":{}}".utf8)
        )
        let odd = "{\"id\":\"..\",\"urls\":{}}"
        #expect(try await get("/collections/8", odd).bytes == Array(odd.utf8))
    }
}

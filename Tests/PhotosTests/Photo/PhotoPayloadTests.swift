import JSON
import ServiceHarness
import Testing

@testable import PhotoLibrary
@testable import Photos

@Suite("The library's payloads")
struct PhotoPayloadTests {
    @Test("a list entry is read with all used members")
    func entry() throws {
        let photo = try #require(try Self.page(Array("[\(Self.photo())]".utf8), of: .editorial).photos.first)
        #expect(photo.id == "l_p4pay8CTM")
        #expect(photo.slug == "a-man-l_p4pay8CTM")
        #expect(photo.width == 2396)
        #expect(photo.height == 3600)
        #expect(photo.createdAt == "2019-02-18T23:20:08Z")
        #expect(photo.color == "#d9c0a6")
        #expect(photo.description.text == "A man sitting at a table")
        #expect(photo.description.source == "altDescription")
        #expect(photo.sponsored)
        #expect(!photo.premium)
        #expect(photo.likes == 179)
        #expect(photo.user == Photo.Photographer(username: "samsungmemory", name: "Samsung Memory"))
        #expect(photo.reportTarget == "/photos/l_p4pay8CTM/download?ixid=M3w2")
        #expect(photo.hotlinks.raw == "https://images.unsplash.com/photo-1?ixid=M3w2&ixlib=rb-4.0.3")
    }

    @Test("entries without a slug, a blur, a colour or the name of the photographer are read, and those of Unsplash+")
    func older() throws {
        let text = Self.photo(dropping: ["slug", "blur_hash", "color", "sponsorship", "links", "likes"])
            .replacing("\"name\":\"Samsung Memory\"", with: "\"name\":null")
            .replacing("images.unsplash.com", with: "plus.unsplash.com")
        let photo = try #require(try Self.page(Array("[\(text)]".utf8), of: .editorial).photos.first)
        #expect(photo.slug == photo.id)
        #expect(photo.blurHash == nil)
        #expect(photo.color == nil)
        #expect(!photo.sponsored && photo.premium)
        #expect(photo.reportTarget == nil)
        #expect(photo.user == Photo.Photographer(username: "samsungmemory", name: "samsungmemory"))
    }

    @Test("a report keeps its ixid if the API has a path of its own")
    func reportBelowAPath() throws {
        let text = Self.photo().replacing("https://api.unsplash.com/", with: "https://proxy.example/unsplash/")
        let photo = try #require(try Self.page(Array("[\(text)]".utf8), of: .editorial).photos.first)
        #expect(photo.reportTarget == "/photos/l_p4pay8CTM/download?ixid=M3w2")
    }

    @Test("an entry that cannot be shown is omitted; a page of only such entries is refused")
    func oddEntries() throws {
        let odd = Self.photo(dropping: ["urls"])
        let undated = Self.photo().replacing("2019-02-18T", with: "2019-02-30T")
        let page = try Self.page(Array("[\(odd), \(Self.photo()), 7, \(undated)]".utf8), of: .editorial)
        #expect(page.photos.count == 1)
        #expect(throws: UpstreamError.self) { try Self.page(Array("[\(odd)]".utf8), of: .editorial) }
        #expect(try Self.page(Array("[]".utf8), of: .editorial).photos.isEmpty)
    }

    @Test(
        "an address with a character that is not visible ASCII is not used: replicas do not read it",
        arguments: [" ", "#", "\\n", "\\u0000", "\u{7F}", "\u{e9}", "\\u2028", "\u{600}"]
    )
    func malformedAddresses(text: String) throws {
        for address in ["raw", "full", "regular", "small", "thumb"] {
            let odd = Self.photo().replacing("\"\(address)\":\"https://", with: "\"\(address)\":\"https://\(text)")
            let page = try Self.page(Array("[\(odd), \(Self.photo())]".utf8), of: .editorial)
            #expect(page.photos.count == 1)
        }
        let script = Self.photo().replacing("\"raw\":\"https://", with: "\"raw\":\"javascript://")
        #expect(try Self.page(Array("[\(script), \(Self.photo())]".utf8), of: .editorial).photos.count == 1)
        let odd = Self.photo().replacing("/photos/l_p4pay8CTM/download", with: "/photos/l\(text)/download")
        let photo = try #require(try Self.page(Array("[\(odd)]".utf8), of: .editorial).photos.first)
        #expect(photo.reportTarget == nil)
    }

    @Test(
        "content that is not a list is a fault of the library",
        arguments: ["", "[", "{}", "null", "Rate Limit Exceeded", "<html>", "{\"results\":[]}", "[1", "[]x"]
    )
    func broken(text: String) {
        #expect(throws: UpstreamError.self) { try Self.page(Array(text.utf8), of: .editorial) }
    }

    @Test("a search has its totals in the document, and no pages after its end")
    func search() throws {
        let feed = Feed.search("x")
        let text = "{\"total\":608,\"total_pages\":21,\"results\":[\(Self.photo())]}"
        let page = try Self.page(Array(text.utf8), of: feed)
        #expect(page.total == 608)
        #expect(page.hasNext)
        let past = Array("{\"total\":0,\"total_pages\":0,\"results\":[]}".utf8)
        #expect(try !Self.page(past, of: feed).hasNext)
    }

    @Test("a detail has exif, place and tags; coordinates of 0/0 are dropped")
    func detail() throws {
        let extra = """
            "exif":{"make":"Canon","model":null,"exposure_time":"1/160","iso":1600},
            "location":{"name":"Costa Rica","city":null,"country":"Costa Rica","position":{"latitude":0,"longitude":0}},
            "tags":[{"type":"search","title":"frog"},{"title":null}],"views":4495129,"downloads":28674
            """
        let detail = try Self.details(extra)
        let exif = try detail["exif"].object()
        #expect(try exif["make"].string() == "Canon")
        #expect(try exif["model"].isNull)
        #expect(try exif["exposureTime"].string() == "1/160")
        #expect(try exif["iso"].integer() == 1600)
        let location = try detail["location"].object()
        #expect(try location["name"].string() == "Costa Rica")
        #expect(try location["latitude"].isNull && location["longitude"].isNull)
        #expect(try detail["tags"].array().map { try $0.string() } == ["frog"])
        #expect(try detail["views"].integer() == 4_495_129)
        let bare = try Self.details("\"location\":{\"position\":{\"latitude\":9.7,\"longitude\":-83.5}},\"tags\":7")
        #expect(try bare["location"].object()["longitude"].double() == -83.5)
        #expect(try bare["tags"].array().isEmpty)
        #expect(try bare["views"].integer() == 0)
        #expect(try bare["downloads"].integer() == 0)
    }

    @Test("the photos of a list, of a search and of one photo are found in a document of any form")
    func anyPhotos() throws {
        let photo = Self.photo()
        for (content, count) in [
            ("[\(photo),\(photo)]", 2), ("{\"total\":1,\"results\":[\(photo)]}", 1), (photo, 1), ("{\"id\":1}", 0),
            ("7", 0),
        ] {
            #expect(try PhotoPayload.anyPhotos(LibraryAnswer(Array(content.utf8))).count == count, "\(content)")
        }
    }

    @Test("without a field that says so, a page follows if the total is larger; without a total, a full page")
    func next() throws {
        for (count, total, field, hasNext) in [
            (1, nil, nil, false), (1, 90, nil, true), (1, 60, nil, false), (1, 90, false, false), (1, nil, true, true),
            (29, nil, nil, false), (30, nil, nil, true), (30, 60, nil, false), (30, nil, false, false),
        ] as [(Int, Int?, Bool?, Bool)] {
            let answer = LibraryAnswer(Array(Self.list(count).utf8), total: total, hasNext: field)
            #expect(try PhotoPayload.page(answer, 2, of: .editorial).hasNext == hasNext)
        }
        // A full page, of which one entry cannot be read.
        let odd = Self.list(30).replacing("\"id\":\"p30\"", with: "\"id\":0")
        let page = try PhotoPayload.page(LibraryAnswer(Array(odd.utf8)), 1, of: .editorial)
        #expect(page.photos.count == 29 && page.hasNext)
    }

    @Test("half of a surrogate pair in a text is replaced, and costs neither its photo nor the page")
    func halfPairs() throws {
        let text = Self.photo().replacing("sitting at", with: "\\ud83d at")
        let page = try PhotoPayload.page(LibraryAnswer(Array("[\(text), \(Self.photo())]".utf8)), 1, of: .editorial)
        #expect(page.photos.map(\.description.text) == ["A man \u{FFFD} at a table", "A man sitting at a table"])
        #expect(try PhotoPayload.detail(Array(text.utf8)).photo.description.text == "A man \u{FFFD} at a table")
        #expect(throws: Never.self) { _ = try PhotoPayload.anyPhotos(LibraryAnswer(Array("[\(text)]".utf8))) }
    }

    /// Reads the first page of a feed, which another one follows.
    static func page(_ content: [UInt8], of feed: Feed) throws(UpstreamError) -> FeedPage {
        try PhotoPayload.page(LibraryAnswer(content, hasNext: true), 1, of: feed)
    }

    /// The details of a photo with further members, as they are written.
    private static func details(_ extra: String) throws -> JSONObject {
        let document = try #require(try PhotoPayload.detail(Array(photo(adding: extra).utf8)).document)
        return try JSON.parse(JSONWriter.object { PhotoJSON.details(of: document, in: &$0) }).object()
    }

    /// A list of photos with numbered ids.
    static func list(_ count: Int) -> String {
        let photos = (1...count).map { photo(dropping: ["id", "slug"], adding: "\"id\":\"p\($0)\"") }
        return "[\(photos.joined(separator: ","))]"
    }

    /// An entry as in the API, partly with values of a real one.
    static func photo(dropping dropped: Set<String> = [], adding extra: String = "\"extra\":[1]") -> String {
        let members: [(String, String)] = [
            ("id", "\"l_p4pay8CTM\""), ("slug", "\"a-man-l_p4pay8CTM\""),
            ("created_at", "\"2019-02-18T18:20:08-05:00\""), ("width", "2396"), ("height", "3600"),
            ("color", "\"#d9c0a6\""), ("blur_hash", "\"LMJQ=mM|^*aK0h?G^*s:W9E1I[Si\""), ("description", "null"),
            ("alt_description", "\"A man sitting at a table\""), ("likes", "179"),
            (
                "urls",
                """
                {"raw":"https://images.unsplash.com/photo-1?ixid=M3w2&ixlib=rb-4.0.3",
                "full":"https://images.unsplash.com/photo-1?q=85","regular":"https://images.unsplash.com/photo-1?w=1080",
                "small":"https://images.unsplash.com/photo-1?w=400","thumb":"https://images.unsplash.com/photo-1?w=200"}
                """
            ),
            ("links", "{\"download_location\":\"https://api.unsplash.com/photos/l_p4pay8CTM/download?ixid=M3w2\"}"),
            ("sponsorship", "{\"impression_urls\":[\"https://ads.example/?u=1\"]}"),
            ("user", "{\"username\":\"samsungmemory\",\"name\":\"Samsung Memory\"}"),
        ]
        let kept = members.filter { !dropped.contains($0.0) }.map { "\"\($0.0)\":\($0.1)" }
        return "{" + (kept + [extra]).joined(separator: ",") + "}"
    }
}

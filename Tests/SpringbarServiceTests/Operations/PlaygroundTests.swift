import Foundation
import HTTPExchange
import HTTPTypes
import Primitives
import ServiceHarness
import SpringbarService
import TestSupport
import Testing

// Tests/Browser tests the page in a browser.

@Suite("The playground")
struct PlaygroundTests {
    @Test("Every file of the folder is built in, byte for byte, except for the sources of the bundles")
    func files() throws {
        let folder = Checkout.file("Playground")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { !$0.hasPrefix(".") && !$0.hasPrefix("source/") && $0.contains(".") }
        let assets = Asset.all(below: "Playground/")
        #expect(Set(assets.map(\.path)) == Set(paths.map { "Playground/\($0)" }))
        for asset in assets {
            let file = Checkout.file(asset.path)
            #expect(Data(asset.bytes.buffer) == (try Data(contentsOf: file)))
        }
    }

    @Test("The page is at the root, for any query and without a token")
    func page() throws {
        let service = try Service(environment: ["SPRINGBAR_API_TOKENS": "0123456789abcdef"])
        let plain = service.get("/")
        #expect(plain.status == .ok)
        #expect(plain.fields[.contentType] == "text/html; charset=utf-8")
        #expect(service.get("/?convention=wwdc").bytes == plain.bytes)
    }

    @Test("A client that accepts gzip gets it, with an ETag of its own")
    func gzip() throws {
        let service = try Service()
        let plain = service.get("/playground/page.css")
        let short = service.get("/playground/page.css", [.acceptEncoding: "gzip, br"])
        #expect(short.fields[.contentEncoding] == "gzip")
        #expect(short.bytes.prefix(2) == [0x1F, 0x8B])
        #expect(short.bytes.count < plain.bytes.count / 2)
        let tag = try #require(short.fields[.eTag])
        #expect(tag != plain.fields[.eTag])
        let again = service.get("/playground/page.css", [.acceptEncoding: "gzip", .ifNoneMatch: tag])
        #expect(again.status == .notModified)
    }

    @Test(
        "Gzip is sent only if Accept-Encoding allows it",
        arguments: [
            ("gzip", true), ("br, gzip;q=0.5", true), ("GZIP", true), ("x-gzip", true), ("gzip;q=0", false),
            ("gzip; q=0.000", false), ("deflate", false), ("identity", false),
        ]
    )
    func codings(field: String, isSqueezed: Bool) throws {
        let answer = try Service().get("/", [.acceptEncoding: field])
        #expect((answer.fields[.contentEncoding] == "gzip") == isSqueezed)
        #expect(answer.fields[.vary] == "Accept-Encoding")
    }

    @Test("Pictures may come from other origins only if the image URLs lead there")
    func imageSources() throws {
        func sources(_ environment: [String: String]) throws -> String? {
            let policy = try Service(environment: environment).get("/").fields[.contentSecurityPolicy]
            return policy?.components(separatedBy: "; ").first { $0.hasPrefix("img-src") }
        }
        #expect(try sources([:]) == "img-src 'self' data:")
        #expect(
            try sources(["SPRINGBAR_IMAGE_MODE": "redirect"])
                == "img-src 'self' data: images.unsplash.com plus.unsplash.com"
        )
    }

    @Test(
        "An unknown path is a page for clients that prefer HTML, and a problem for others",
        arguments: [
            ("text/html,application/xhtml+xml,*/*;q=0.8", true), ("text/html", true),
            ("text/html, application/json", false), ("application/json;q=0.9, text/html", true),
            ("application/problem+json, text/html;q=0.9", false), ("*/*", false), ("image/png", false),
            ("text/html;q=0", false), (nil, false),
        ] as [(String?, Bool)]
    )
    func notFound(accept: String?, isPage: Bool) throws {
        let service = try Service(environment: ["SPRINGBAR_ALLOWED_HOSTS": "*"])
        let fields: Fields = accept.map { [.accept: $0, .ifNoneMatch: "*", .host: "a\"b"] } ?? [.ifNoneMatch: "*"]
        for target in ["/nothing/%3Cb%3E<script>'\"&{base}", "/playground/nothing.js"] {
            for method in [HTTPRequest.Method.get, .head] {
                let answer = service.send(Request(method: method, target: Target(target), fields: fields))
                #expect(answer.status == .notFound && answer.problem == "not-found")
                let fields = answer.fields
                #expect(fields[.vary] == "Accept" && fields[.cacheControl] == "no-store")
                #expect(fields[.contentType] == (isPage ? "text/html; charset=utf-8" : "application/problem+json"))
                let rules = service.get("/docs").fields
                for name in [FieldName.contentSecurityPolicy, .referrerPolicy, .permissionsPolicy] where isPage {
                    #expect(fields[name] == rules[name])
                }
                #expect(answer.text.contains("href=\"/docs\"") == isPage && answer.bytes.count < 2500)
                #expect(!answer.text.contains("<script>") || !isPage)
            }
        }
        guard isPage else { return }
        let text = service.get("/%3Cb%3E<script>'\"&{base}", fields).text
        #expect(text.contains("<code>/%3Cb%3E&lt;script&gt;&#39;&quot;&amp;{base}</code>"))
        #expect(text.contains("curl -s 'http://a%22b/v1/springs"))
        let long = service.get("/" + String(repeating: "e\u{301}", count: 4000), fields)
        #expect(long.bytes.count < 2500)
    }

    @Test("The commands on the page of an unknown path have the public address")
    func notFoundBehindProxy() throws {
        let service = try Service(environment: ["SPRINGBAR_PUBLIC_URL": "https://springs.example"])
        let answer = service.get("/nothing", [.accept: "text/html"])
        #expect(answer.text.contains("curl -s 'https://springs.example/v1/photos"))
    }
}

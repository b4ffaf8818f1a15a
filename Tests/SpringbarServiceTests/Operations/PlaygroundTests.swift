import Foundation
import HTTPExchange
import HTTPTypes
import ServiceHarness
import Testing

// Tests/Browser tests the page in a browser.

@Suite("The playground")
struct PlaygroundTests {
    @Test("The page is at the root, for any query and without a token")
    func page() throws {
        let service = try Service(environment: ["SPRINGBAR_API_TOKENS": "0123456789abcdef"])
        let plain = service.get("/")
        #expect(plain.status == .ok)
        #expect(plain.fields[.contentType] == "text/html; charset=utf-8")
        #expect(service.get("/?convention=wwdc").bytes == plain.bytes)
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
                #expect((answer.fields[.contentType] == "text/html; charset=utf-8") == isPage)
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

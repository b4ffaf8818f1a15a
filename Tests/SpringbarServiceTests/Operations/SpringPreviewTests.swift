import HTTPExchange
import ServiceHarness
import SpringbarService
import Testing

@Suite("The preview of a shared link")
struct SpringPreviewTests {
    private func page(_ query: String, environment: [String: String] = [:], host: String = "h:1") throws -> String {
        let service = try Service(environment: environment)
        return service.get("/\(query)", [.host: host]).text
    }

    @Test("the picture is at the public address if there is one")
    func publicAddress() throws {
        let second = "b.convention=compose&b.dampingRatio=1&b.stiffness=200"
        let query = "?convention=wwdc&dampingRatio=0.5&response=0.4&" + second
        let page = try page(query, environment: ["SPRINGBAR_PUBLIC_URL": "https://a.example"])
        #expect(page.contains("content=\"https://a.example/v1/springs/plot.png?convention=wwdc&amp;"))
        #expect(page.contains("b.stiffness=200\">"))
    }

    @Test(
        "a link without a spring that can be plotted has none",
        arguments: [
            "", "?utm_medium=email", "?dampingRatio=0.5&response=0.4", "?convention=wwdc", "?convention=%22%3E%3Cb",
            "?convention=wwdc&dampingRatio=-1&response=0.4", "?convention=wwdc&convention=wwdc",
        ]
    )
    func none(query: String) throws {
        #expect(try !page(query).contains("og:image"))
    }

    @Test("text of the address and of the Host cannot leave its attribute")
    func escaping() throws {
        let page = try page("?convention=wwdc&dampingRatio=0.5&response=0.4", host: "\"><script>")
        #expect(!page.contains("<script>"))
        #expect(page.contains("http://%22%3E%3Cscript%3E/v1/"))
    }

    @Test("the compressed page has another tag than the plain one")
    func compression() throws {
        let target = "/?convention=wwdc&dampingRatio=0.5&response=0.4"
        let service = try Service()
        let plain = service.get(target)
        let compressed = service.get(target, [.acceptEncoding: "gzip"])
        #expect(compressed.fields[.contentEncoding] == "gzip")
        // RFC 1952: the fastest level, because the page is made for each request. One that is kept has another level.
        #expect(compressed.bytes[8] == 4 && service.get("/", [.acceptEncoding: "gzip"]).bytes[8] == 0)
        #expect(plain.fields[.eTag] != compressed.fields[.eTag])
        #expect(plain.fields[.contentSecurityPolicy] != nil)
        #expect(compressed.fields[.contentSecurityPolicy] != nil)
    }
}

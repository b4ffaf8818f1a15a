import HTTPExchange
import JSON
import ServiceHarness
import Testing

@Suite("Texts of photos")
struct PhotoTests {
    /// Returns the photo of a page that has it alone.
    private func photo(_ entry: String) async throws -> JSONObject {
        let fixture = try PhotoFixture()
        fixture.library.set { $0.document = "[\(entry)]" }
        return try await fixture.get("/v1/photos").object()["items"].array()[0].object()
    }

    @Test(
        "the description is the first text that is not blank, with its source",
        arguments: [
            ("\"A frog\"", "\"green frog\"", "A frog", "description"),
            ("null", "\"green frog\"", "green frog", "altDescription"),
            ("\"\"", "\"green frog\"", "green frog", "altDescription"),
            ("\" \\n\\t\"", "\"green frog\"", "green frog", "altDescription"),
            ("null", "null", "Photo by Samsung Memory", "user"), ("\"\"", "\"  \"", "Photo by Samsung Memory", "user"),
        ]
    )
    func description(written: String, alt: String, text: String, source: String) async throws {
        let extra = "\"description\":\(written),\"alt_description\":\(alt)"
        let photo = try await photo(
            PhotoPayloadTests.photo(dropping: ["description", "alt_description"], adding: extra)
        )
        #expect(try photo["description"].string() == text)
        #expect(try photo["descriptionSource"].string() == source)
    }

    @Test("the attribution links contain the application, and names are escaped")
    func attribution() async throws {
        let user = #""user":{"username":"o'neil","name":"<b>Tom & \"Jerry\"</b>"}"#
        let photo = try await photo(PhotoPayloadTests.photo(dropping: ["user"], adding: user))
        let attribution = try photo["attribution"].object()
        #expect(try attribution["text"].string() == "Photo by <b>Tom & \"Jerry\"</b> on Unsplash")
        let campaign = "utm_source=springbar&utm_medium=referral"
        #expect(try attribution["photographerUrl"].string() == "https://unsplash.com/@o%27neil?\(campaign)")
        #expect(try attribution["unsplashUrl"].string() == "https://unsplash.com/?\(campaign)")
        #expect(
            try attribution["html"].string() == """
                Photo by <a href="https://unsplash.com/@o%27neil?utm_source=springbar&amp;utm_medium=referral">\
                &lt;b&gt;Tom &amp; &quot;Jerry&quot;&lt;/b&gt;</a> on \
                <a href="https://unsplash.com/?utm_source=springbar&amp;utm_medium=referral">Unsplash</a>
                """
        )
    }
}

import ServiceHarness
import Testing

@testable import Photos

@Suite("Photo")
struct PhotoTests {
    @Test(
        "the description is the first text that is not blank, with its source",
        arguments: [
            ("A frog" as String?, "green frog" as String?, "A frog", Photo.DescriptionSource.description),
            (nil, "green frog", "green frog", .altDescription),
            ("", "green frog", "green frog", .altDescription),
            (" \n\t", "green frog", "green frog", .altDescription),
            (nil, nil, "Photo by Ada Lovelace", .user),
            ("", "  ", "Photo by Ada Lovelace", .user),
        ]
    )
    func description(
        written: String?,
        alt: String?,
        text: String,
        source: Photo.DescriptionSource
    ) {
        let photo = Photo.sample(1, written: written, alt: alt)
        #expect(photo.description.text == text)
        #expect(photo.description.source == source)
    }

    @Test("the attribution links contain the application, and names are escaped")
    func attribution() {
        let attribution = Attribution(
            Photo.Photographer(username: "o'neil", name: "<b>Tom & \"Jerry\"</b>"),
            appName: "my app"
        )
        #expect(attribution.text == "Photo by <b>Tom & \"Jerry\"</b> on Unsplash")
        #expect(
            attribution.photographerURL == "https://unsplash.com/@o%27neil?utm_source=my%20app&utm_medium=referral"
        )
        #expect(attribution.unsplashURL == "https://unsplash.com/?utm_source=my%20app&utm_medium=referral")
        #expect(
            attribution.html == """
                Photo by <a href="https://unsplash.com/@o%27neil?utm_source=my%20app&amp;utm_medium=referral">\
                &lt;b&gt;Tom &amp; &quot;Jerry&quot;&lt;/b&gt;</a> on \
                <a href="https://unsplash.com/?utm_source=my%20app&amp;utm_medium=referral">Unsplash</a>
                """
        )
    }
}

extension Photo {
    /// Returns a photo that differs from others by its number.
    static func sample(
        _ number: Int,
        written: String? = nil,
        alt: String? = "a photo",
        sponsored: Bool = false,
        premium: Bool = false
    ) -> Photo {
        let id = "photo-\(number)"
        let host = "https://images.example/\(id)"
        var photo = Photo(
            id: id,
            slug: "a-photo-\(id)",
            width: 4000,
            height: 3000,
            createdAt: "2024-07-02T16:19:28Z",
            hotlinks: Hotlinks { _ in host },
            downloadLocation: "https://api.example/photos/\(id)/download?ixid=abc",
            user: Photographer(username: "ada", name: "Ada Lovelace")
        )
        photo.writtenDescription = written
        photo.altDescription = alt
        photo.likes = number
        photo.sponsored = sponsored
        photo.premium = premium
        return photo
    }
}

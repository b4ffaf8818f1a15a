import Testing

@testable import PhotoFeed

@Suite("Photo")
struct PhotoTests {
    @Test(
        "the description is the first text that is not blank, and says where it is from",
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

    @Test("the attribution links carry the application, and names are escaped")
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

    /// The first entries of the table in the reference implementation's `vectors.h`: key 00…0f, input 00, 01, ….
    @Test(
        "SipHash-2-4 gives the reference's values",
        arguments: [
            (0, 0x726f_db47_dd0e_0e31 as UInt64), (1, 0x74f8_39c5_93dc_67fd), (8, 0x93f5_f579_9a93_2462),
            (15, 0xa129_ca61_49be_45e5),
        ]
    )
    func sipHash(length: Int, expected: UInt64) {
        let bytes = (0..<length).map(UInt8.init)
        var bytewise = SipHash()
        bytewise.combine(bytes)
        #expect(bytewise.finalized() == expected)
        var split = SipHash()
        split.combine(bytes.prefix(3))
        Array(bytes.dropFirst(3)).withUnsafeBytes { split.combine($0) }
        #expect(split.finalized() == expected)
    }
}

extension Photo {
    /// A photo that differs from others by its number.
    static func sample(
        _ number: Int,
        written: String? = nil,
        alt: String? = "a photo",
        sponsored: Bool = false,
        premium: Bool = false
    ) -> Photo {
        let id = "photo-\(number)"
        let host = "https://images.example/\(id)"
        return Photo(
            id: id,
            slug: "a-photo-\(id)",
            width: 4000,
            height: 3000,
            createdAt: "2024-07-02T16:19:28Z",
            color: "#d9c0a6",
            blurHash: "LMJQ=mM|^*aK0h?G^*s:W9E1I[Si",
            writtenDescription: written,
            altDescription: alt,
            likes: number,
            sponsored: sponsored,
            premium: premium,
            hotlinks: Hotlinks(raw: host, full: host, regular: host, small: host, thumb: host),
            downloadLocation: "https://api.example/photos/\(id)/download?ixid=abc",
            user: Photographer(username: "ada", name: "Ada Lovelace")
        )
    }
}

import HTTPExchange
import HTTPTypes
import JSON
import Photos
import ServiceHarness
import Testing

/// The names and queries of a target are checked before any call of the library.
@Suite("Names and queries of photo requests")
struct PhotoRequestNameTests {
    /// Segments of a path, as sent by a client.
    private static let oddSegments = [
        ".", "..", "%2e", "%2E%2e", "..%23x", "..#x", "a#b", "a%23b", "a%2Fb", "a%2fb", "%252e%252e", "a%252Fb", "a.b",
        "a%20b", "a%22b", "a%3Eb",
        "a%3Fb", "a%26b", "a%5Cb", "%E2%80%AEa", "random%2F", "a:b", "a;b", String(repeating: "a", count: 257),
    ]

    private static let templates = [
        "/v1/photos/{}", "/v1/photos/{}?detail=full", "/v1/photos/{}/image/thumb", "/v1/photos/{}/image?w=200",
        "/v1/photos/{}/placeholder.png", "/v1/photos/{}/download", "/v1/topics/{}/photos", "/v1/collections/{}/photos",
        "/unsplash/photos/{}", "/unsplash/photos/{}/download", "/unsplash/topics/{}", "/unsplash/topics/{}/photos",
        "/unsplash/collections/{}/photos", "/unsplash/collections/{}", "/unsplash/photos/{}/statistics",
        "/unsplash/users/{}", "/unsplash/users/{}/photos",
    ]

    @Test("a malformed id is a 404 and costs no call", arguments: templates)
    func oddNames(template: String) async throws {
        let fixture = try PhotoFixture()
        let method = template == "/v1/photos/{}/download" ? HTTPRequest.Method.post : .get
        // One of these photos would be cached for all clients.
        let random = template.hasPrefix("/v1/photos/") ? ["random", "r%61ndom"] : []
        // A username may have a dot.
        for segment in Self.oddSegments + random where segment != "a.b" || !template.contains("/users/") {
            let (isNow, response) = try await fixture.ask(template.replacing("{}", with: segment), method: method)
            #expect(isNow && response.status == .notFound, "\(segment): \(response.status)")
            let body = try response.object()
            if template.hasPrefix("/unsplash") {
                #expect(try body["errors"].array()[0].string().hasPrefix("Couldn't find "))
            } else {
                #expect(try body["type"].string() == "/problems/photo-not-found")
            }
        }
        #expect(fixture.library.calls.isEmpty)
        #expect(fixture.library.pictureCalls.isEmpty)
        #expect(fixture.service.status.budget.remaining == 50)
    }

    /// If the response were cached, all clients would get the same random photo for an hour.
    @Test("the drop-in does not cache a random photo")
    func random() async throws {
        let fixture = try PhotoFixture()
        for target in ["/unsplash/photos/random", "/unsplash/photos/r%61ndom", "/unsplash/photos/random?count=2"] {
            for _ in 0..<2 {
                let response = try await fixture.get(target)
                #expect(response.status == .ok)
                #expect(response.fields[.cacheControl] == "no-store")
                #expect(response.fields[.eTag] == nil)
            }
        }
        #expect(fixture.library.calls.count == 6)
        #expect(fixture.library.calls[2] == "/photos/random")
    }

    @Test(
        "a client's key is dropped in any spelling of its name, and the other parameters are encoded again",
        arguments: [
            ("%63lient_id=secret&ixid=M3w1", "?ixid=M3w1"),
            ("client%5fid=secret&ixid=M3w1", "?ixid=M3w1"),
            ("client_id%5B%5D=secret", ""),
            ("CLIENT_ID=secret&access_token=secret", ""),
            ("+client_id=secret", ""),
            ("ixid=a;client_id=secret", "?ixid=a%3Bclient_id%3Dsecret"),
            ("ixid=a%26client_id=secret", "?ixid=a%26client_id%3Dsecret"),
            ("ixid=a#b\"c>d", "?ixid=a%23b%22c%3Ed"),
            ("%zz=1&ixid=%zz&x=%00", ""),
        ]
    )
    func credentials(query: String, sent: String) async throws {
        let fixture = try PhotoFixture()
        _ = try await fixture.get("/unsplash/photos/p1/download?\(query)")
        #expect(fixture.library.calls == ["/photos/p1/download\(sent)"])
        for path in ["/unsplash/photos", "/unsplash/photos/p1", "/unsplash/photos/random", "/unsplash/topics"] {
            _ = try await fixture.get("\(path)?\(query)")
        }
        #expect(fixture.library.calls.dropFirst().allSatisfy { !$0.contains("secret") && !$0.contains("client") })
    }

    @Test("a query with more than 2 kB in encoded form is refused without a call")
    func longQueries() async throws {
        let fixture = try PhotoFixture()
        for (target, status) in [
            ("/unsplash/search/photos?query=\(String(repeating: "a", count: 10_850))", 414),
            ("/unsplash/search/photos?query=\(String(repeating: "a", count: 2042))", 414),
            ("/unsplash/search/photos?query=\(String(repeating: "/", count: 700))", 414),
            ("/unsplash/photos/p1/download?ixid=\(String(repeating: "a", count: 4092))", 414),
            ("/unsplash/search/photos?query=%zz", 400),
        ] {
            let response = try await fixture.get(target)
            #expect(response.status.code == status)
            #expect(try response.object()["errors"].array().count == 1)
        }
        #expect(fixture.library.calls.isEmpty)
        let longest = String(repeating: "a", count: 2041)
        #expect(try await fixture.get("/unsplash/search/photos?query=\(longest)").status == .ok)
        #expect(fixture.service.status.upstream == "ok")
    }

    @Test(
        "the targets of links have only characters of RFC 3986, and a client cannot add a relation",
        arguments: [
            "/v1/search/photos?query=a%22b%3E,%20<x>;rel=\"next\"", "/v1/search/photos?query=a\">;rel=\"first\"",
            "/v1/photos?limit=2", "/unsplash/search/photos?query=a>;%20rel=\"next\"",
            "/unsplash/search/photos?query=%22%3E", "/v1/search/photos?query=é{|}^`\\",
        ]
    )
    func links(target: String) async throws {
        let fixture = try PhotoFixture()
        let response = try await fixture.get(target, fields: [.host: "photos.example"])
        try #require(response.status == .ok)
        let link = try #require(response.fields[.link])
        for part in link.split(separator: ", <") {
            let address = part.drop { $0 == "<" }.prefix { $0 != ">" }
            #expect(address.utf8.allSatisfy { isAllowed($0) }, "\(address)")
            #expect(part.drop { $0 != ">" }.wholeMatch(of: />; rel="(first|prev|next|last)"/) != nil, "\(part)")
        }
    }

    /// A character of a URI (RFC 3986, section 2).
    private func isAllowed(_ byte: UInt8) -> Bool {
        let marks = "-._~:/?[]@!$&'()*+,;=%".utf8
        let letter = byte & 0xdf
        return marks.contains(byte) || 0x30...0x39 ~= byte || 0x41...0x5a ~= letter && byte < 0x80
    }
}

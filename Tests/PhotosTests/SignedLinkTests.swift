import HTTPExchange
import HTTPTypes
import JSON
import Photos
import ServiceHarness
import Testing

@Suite("Signed links of pictures")
struct SignedLinkTests {
    private static let token: Fields = [.authorization: PhotoFixture.bearer]

    /// Returns the images of the first photo of a page.
    private func images(_ fixture: PhotoFixture) async throws -> JSONObject {
        let page = try await fixture.get("/v1/photos", fields: Self.token)
        return try page.object()["items"].array()[0].object()["images"].object()
    }

    /// Returns the signature of the first photo, which is `p1`.
    private func signature(_ fixture: PhotoFixture) async throws -> String {
        let link = try await images(fixture)["thumb"].object()["url"].string()
        return String(try #require(link.split(separator: "?s=").last))
    }

    @Test("an `<img>` gets every size that an answer links, without a token")
    func variants() async throws {
        let fixture = try PhotoFixture(tokens: [PhotoFixture.token])
        let images = try await images(fixture)
        for variant in ["thumb", "small", "regular", "full"] as [StaticString] {
            let link = try images[variant].object()["url"].string()
            let response = try await fixture.get(link)
            #expect(response.status == .ok)
            #expect(response.fields[.cacheControl]?.hasPrefix("public") == true)
            let unsigned = try #require(link.split(separator: "?").first)
            let refusal = try await fixture.get(String(unsigned))
            #expect(refusal.code == "unauthorized" && refusal.fields[.wwwAuthenticate] == "Bearer")
            #expect(try await fixture.get(String(unsigned), fields: Self.token).status == .ok)
        }
    }

    @Test("one signature fits all paths of a photo's picture, with GET, HEAD and conditions")
    func paths() async throws {
        let fixture = try PhotoFixture(tokens: [PhotoFixture.token])
        let signature = try await signature(fixture)
        #expect(signature.utf8.count == 16)
        for path in [
            "image?w=320&s=", "image?s=", "image/thumb?v=2&s=", "image/small.jpg?s=", "placeholder.png?w=8&s=",
        ] {
            let target = "/v1/photos/p1/\(path)\(signature)"
            // The first answer with a picture may be a stream, which has no tag.
            _ = try await fixture.get(target)
            let response = try await fixture.get(target)
            #expect(response.status == .ok, "\(target)")
            let tag = try #require(response.fields[.eTag])
            #expect(try await fixture.get(target, fields: [.ifNoneMatch: tag]).status == .notModified)
            #expect(try await fixture.ask(target, method: .head).response.status == .ok)
        }
    }

    @Test("a link is valid on every replica, after a restart, and while its token is one of several")
    func replicas() async throws {
        let link = "/v1/photos/p1/image/thumb?s=" + (try await signature(PhotoFixture(tokens: [PhotoFixture.token])))
        let (token, other) = (PhotoFixture.token, "another-token-of-the-tests")
        for tokens in [[token], [token, other], [other, token]] {
            #expect(try await PhotoFixture(tokens: tokens).get(link).status == .ok)
        }
        #expect(try await PhotoFixture(tokens: [other]).get(link).code == "unauthorized")
        // Without tokens a link has no signature, and an old one does no harm.
        let open = try PhotoFixture()
        #expect(try await images(open)["thumb"].object()["url"].string() == "/v1/photos/p1/image/thumb")
        #expect(try await open.get(link).status == .ok)
    }

    @Test("a signature that was altered, is missing, or is of another photo is refused")
    func refusals() async throws {
        let fixture = try PhotoFixture(tokens: [PhotoFixture.token])
        let signature = try await signature(fixture)
        var wrong = ["", "=", "A", String(signature.dropLast()), signature + "A", signature.lowercased() + signature]
        for index in signature.indices {
            let other = signature[index] == "A" ? "B" : "A"
            wrong.append(signature[..<index] + other + signature[signature.index(after: index)...])
        }
        for text in wrong {
            for path in ["image/thumb?s=", "image?w=320&s=", "placeholder.png?s="] {
                #expect(try await fixture.get("/v1/photos/p1/\(path)\(text)").code == "unauthorized", "\(path)\(text)")
            }
        }
        for target in [
            "/v1/photos/p2/image/thumb?s=\(signature)", "/v1/photos/p11/image/thumb?s=\(signature)",
            "/v1/photos/p1?s=\(signature)", "/v1/photos/p1/image/thumb?v=\(signature)",
            "/v1/photos/p1/image/thumb?s=A&s=\(signature)", "/v1/photos?s=\(signature)",
        ] {
            #expect(try await fixture.get(target).code == "unauthorized", "\(target)")
        }
        #expect(try await fixture.get("/v1/photos/p1/image/thumb?s=\(signature)&s=A").code == "invalid-query")
        let post = try await fixture.ask("/v1/photos/p1/download?s=\(signature)", method: .post)
        #expect(post.response.code == "unauthorized")
        #expect(fixture.library.calls.count == 1)
    }

    @Test("the pictures of the built-in library are linked with their signature, in the drop-in as well")
    func dropIn() async throws {
        let fixture = try PhotoFixture(kind: .sandbox, tokens: [PhotoFixture.token])
        let signature = try await signature(fixture)
        for target in ["/unsplash/photos", "/unsplash/photos/p1", "/v1/photos/p1"] {
            let response = try await fixture.get(target, fields: [.authorization: PhotoFixture.bearer, .host: "a"])
            let link = "\"raw\":\"http://a/v1/photos/p1/image/full?s=\(signature)\""
            #expect(String(decoding: response.bytes, as: UTF8.self).contains(link), "\(target)")
        }
    }
}

import JSON
import ServiceHarness
import Testing

@testable import PhotoLibrary
@testable import Photos

/// Any document of the library has photos or an error as a result, and never a trap.
@Suite("Documents with anything", .timeLimit(.minutes(2)))
struct HostilePayloadTests {
    @Test("of a list that is no page of the library, only the beginning is read")
    func longLists() throws {
        let numbers = Array(repeating: "0", count: 99)
        let late = Array(
            "[\((numbers + [PhotoPayloadTests.photo(), PhotoPayloadTests.photo()]).joined(separator: ","))]".utf8
        )
        #expect(try PhotoPayloadTests.page(late, of: .editorial).photos.count == 1)
        let none = Array("[\(Array(repeating: "0", count: 50_000).joined(separator: ","))]".utf8)
        #expect(throws: UpstreamError.invalid("unexpected JSON at ")) {
            try PhotoPayloadTests.page(none, of: .editorial)
        }
    }

    @Test("long texts are truncated, and unusable members are dropped or refused")
    func longTexts() throws {
        let long = String(repeating: "é", count: 100_000)
        func read(_ member: String) throws -> Photo? {
            let photo = PhotoPayloadTests.photo(dropping: [member])
            let text: String = "[{\"\(member)\":\"\(long)\"," + photo.dropFirst() + "]"
            return try PhotoPayloadTests.page(Array(text.utf8), of: .editorial).photos.first
        }
        #expect(try read("description")?.description.text.unicodeScalars.count == 2000)
        let slugged = try #require(try read("slug"))
        #expect(slugged.slug == slugged.id)
        #expect(try read("blur_hash")?.blurHash == nil)
        #expect(throws: UpstreamError.self) { try read("id") }
        let odd = [
            "javascript:alert(1)", "https://a.example/me", "", "x", "https://a.example/photos",
            "https://a.example/photos/%2e%2e/download", "https://a.example/photos/%2e%2e/%2e%2e/me/download",
            "https://a.example/photos/../me/download", "https://a.example/x/photos/%2e%2e/download",
            "https://a.example/photos/x/me/download", "https://a.example?/photos/x/download",
            "https://a.example/photos/a%2Fb/download",
            "https://a.example/photos/a/download/x", "https://a.example/photos/a", "https://a.example/photos//download",
            "https://a.example/photos/\\\"><b>/download", "https://a.example/photos/a/download?ixid=\\\"><b>",
            "https://a.example/photos/a/download?ixid=%zz", "https://a.example/photos/a/download?ixid=%00",
        ]
        for location in odd {
            let text = PhotoPayloadTests.photo().replacing(
                "https://api.unsplash.com/photos/l_p4pay8CTM/download?ixid=M3w2",
                with: location
            )
            let photo = try PhotoPayloadTests.page(Array("[\(text)]".utf8), of: .editorial).photos.first
            #expect(photo?.reportTarget == nil, "\(location)")
        }
    }
}

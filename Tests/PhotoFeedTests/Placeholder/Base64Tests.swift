import Foundation
import Testing

@testable import PhotoFeed

@Suite("Base 64")
struct Base64Tests {
    @Test("base 64 agrees with Foundation's, and the URL form reads back", arguments: 0..<40)
    func base64(length: Int) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 13) }
        #expect(Base64.encode(bytes, .standard) == Data(bytes).base64EncodedString())
        let text = Base64.encode(bytes, .url)
        #expect(Base64.decodeURL(text) == bytes)
        #expect(!text.contains { "+/=".contains($0) })
    }

    @Test("base 64 that nobody writes is refused", arguments: ["A", "AB+", "AA==", "AB", "ABCDE", "A A", "Ä"])
    func refusesBase64(text: String) {
        #expect(Base64.decodeURL(text) == nil)
    }
}

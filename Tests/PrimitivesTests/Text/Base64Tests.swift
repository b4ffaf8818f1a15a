import Foundation
import Primitives
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test("agrees with Foundation, and decodes the URL form", arguments: 0..<40)
    func base64(length: Int) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ 13) }
        #expect(Base64.encode(bytes, .standard) == Data(bytes).base64EncodedString())
        let text = Base64.encode(bytes, .url)
        #expect(Base64.decodeURL(text) == bytes)
        #expect(!text.contains { "+/=".contains($0) })
    }

    @Test("refuses text that the encoder never returns", arguments: ["A", "AB+", "AA==", "AB", "ABCDE", "A A", "Ä"])
    func refusesBase64(text: String) {
        #expect(Base64.decodeURL(text) == nil)
    }
}

import HTTPExchange
import Testing

@testable import MicroHTTPServer

@Suite struct ReceivedTargetTests {
    @Test(
        "A target is found again by its own bytes and by no others",
        arguments: ["/", "/v1/bars/a?x=1", "/v1/bars/b", "/\u{FC}", "http://a/b"]
    )
    func same(text: String) {
        let target = ReceivedTarget(text)
        #expect(target.target.raw == text)
        #expect(target.isSpelled(by: text, count: text.utf8.count))
        #expect(!target.isSpelled(by: text, count: text.utf8.count - 1), "a part of it")
        #expect(!target.isSpelled(by: text + "a", count: text.utf8.count + 1), "more than it")
        var other = Array(text.utf8)
        for position in other.indices {
            other[position] ^= 1
            let isFound = other.withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) { target.isSpelled(by: $0.baseAddress!, count: $0.count) }
            }
            #expect(!isFound, "byte \(position)")
            other[position] ^= 1
        }
    }

    @Test("Text that had to be repaired is made anew each time: other bytes are repaired to the same")
    func repaired() {
        let bytes: [CChar] = [0x2F, -1, 0]
        let target = ReceivedTarget(bytes)
        #expect(target.target.raw == "/\u{FFFD}")
        #expect(!target.isSpelled(by: bytes, count: 2))
    }
}

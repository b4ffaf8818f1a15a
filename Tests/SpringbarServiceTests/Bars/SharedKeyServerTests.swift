import Primitives
import SharedState
import TestSupport
import Testing

@testable import SpringbarService

@Suite("The server of a key")
struct SharedKeyServerTests {
    // The values are those of another implementation, in Python. Another function would lose the stored bars.
    @Test(
        "Keys of bars are spread by their text",
        arguments: [
            ("00000000000000000000000000000000", [0, 1, 1, 1, 1, 45]),
            ("0123456789abcdef0123456789abcdef", [0, 0, 0, 0, 0, 33]),
            ("ffffffffffffffffffffffffffffffff", [0, 1, 1, 1, 4, 6]),
            ("k:0:one", [0, 0, 2, 3, 3, 3]), ("k:0:two", [0, 0, 2, 3, 4, 8]), ("k:ff:one", [0, 1, 1, 1, 1, 12]),
            ("c:0", [0, 0, 0, 0, 4, 55]), ("c:1234567890abcdef", [0, 0, 2, 2, 2, 47]),
        ]
    )
    func spread(text: String, expected: [Int]) {
        #expect([1, 2, 3, 4, 5, 64].map { SharedKey(text).server(of: $0) } == expected)
    }

    @Test("A key of another text is on the first server, whatever the number is")
    func first() {
        let feeds = (0..<100).map { "f:\(String($0, radix: 16))" }
        let ids = (0..<100).map { "d:0123456789abcdef0123456789abcde\($0)" }
        for text in ["journal", "budget", "p:0:1", "r:0:key", "", "0123", "G" + String(repeating: "0", count: 31)]
            + feeds + ids
        {
            #expect((1...64).allSatisfy { SharedKey(text).server(of: $0) == 0 }, "\(text)")
        }
    }

    @Test("A key is on one server, whether the usage counts it or not")
    func counted() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            let id = BarID(using: &generator)
            #expect(id.key.server(of: 7) == SharedKey(id.text).server(of: 7))
        }
    }

    @Test("The servers get equal parts, and another server takes its part only", arguments: [1, 2, 3, 7, 15, 63])
    func balance(count: Int) {
        var generator = SeededGenerator(seed: 5)
        let keys = 64_000
        var parts = Array(repeating: 0, count: count + 1)
        var moved = 0
        for _ in 0..<keys {
            let key = BarID(using: &generator).key
            let (before, after) = (key.server(of: count), key.server(of: count + 1))
            parts[after] += 1
            if before != after {
                moved += 1
                #expect(after == count)
            }
        }
        let part = Double(keys) / Double(count + 1)
        // Five standard deviations of a binomial distribution.
        let bound = 5 * part.squareRoot()
        for size in parts { #expect(abs(Double(size) - part) < bound, "\(parts)") }
        #expect(abs(Double(moved) - part) < bound)
    }
}

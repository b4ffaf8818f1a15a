import HTTPExchange
import TestSupport
import Testing

@Suite
struct EntityTagTests {
    @Test(
        "a tag is quoted, with the prefix W/ if it is weak (RFC 9110, section 8.8.3)",
        arguments: [
            ("\"x\"", "\"x\""), ("W/\"x\"", "W/\"x\""), ("\"\"", "\"\""), (" \"x\" ", "\"x\""), ("\"a,b\"", "\"a,b\""),
            ("\"a\\\"", "\"a\\\""), ("\"ä\"", "\"ä\""), ("x", nil), ("\"x", nil), ("x\"", nil), ("w/\"x\"", nil),
            ("W/ \"x\"", nil), ("W/x", nil), ("\"a b\"", nil), ("\"a\", \"b\"", nil), ("", nil), ("*", nil),
            ("'x'", nil),
        ] as [(String, String?)]
    )
    func parsing(text: String, expected: String?) {
        #expect(EntityTag(text)?.description == expected)
    }

    @Test(
        "the two comparisons have the results of the table in section 8.8.3.2",
        arguments: [
            ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
            ("W/\"1\"", "\"1\"", false, true), ("\"1\"", "\"1\"", true, true),
        ]
    )
    func comparison(first: String, second: String, isSame: Bool, isEquivalent: Bool) throws {
        let (first, second) = (try #require(EntityTag(first)), try #require(EntityTag(second)))
        #expect(first.isSame(as: second) == isSame)
        #expect(first.isEquivalent(to: second) == isEquivalent)
        #expect(second.isSame(as: first) == isSame)
        #expect(second.isEquivalent(to: first) == isEquivalent)
    }

    @Test("equal bytes have equal tags, and any other bytes have another tag")
    func hashing() {
        var generator = SeededGenerator(seed: 5)
        var seen: Set<EntityTag> = [EntityTag(hashing: [])]
        for length in 1..<200 {
            var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let tag = EntityTag(hashing: bytes)
            #expect(EntityTag(hashing: bytes) == tag)
            #expect(EntityTag(tag.description) == tag)
            #expect(seen.insert(tag).inserted)
            bytes[Int.random(in: 0..<length, using: &generator)] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            #expect(seen.insert(EntityTag(hashing: bytes)).inserted)
            // A zero byte at the end changes the tag, too.
            #expect(seen.insert(EntityTag(hashing: bytes + [0])).inserted)
        }
    }
}

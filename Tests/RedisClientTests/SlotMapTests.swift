import RedisClient
import Testing

@Suite("Slots of a cluster")
struct SlotMapTests {
    @Test(
        "The slot of a key is its CRC16, or that of the part in braces",
        arguments: [
            // The CRC16 of "123456789" is 0x31C3 (Redis Cluster Specification, appendix A).
            ("123456789", 0x31C3), ("", 0), ("foo", 12_182), ("{foo}bar", 12_182), ("a{foo}", 12_182),
            // Empty braces, or only one, are a part of the key.
            ("foo{}", 5542), ("foo{", 7673), ("}{foo}", 12_182),
        ] as [(String, Int)]
    )
    func slots(key: String, slot: Int) {
        #expect(KeySlot.slot(of: key) == UInt16(slot % 16_384))
    }

    private func node(_ host: String?, _ port: Int) -> RedisReply {
        .array([host.map { .string(Array($0.utf8)) } ?? .null, .integer(port), .string([])])
    }

    @Test("A map has the owners of all slots, and their replicas")
    func map() throws {
        let reply = RedisReply.array([
            .array([.integer(0), .integer(99), node("a", 1), node("b", 2)]),
            .array([.integer(101), .integer(16_383), node(nil, 3), node("?", 4)]),
        ])
        let map = try #require(SlotMap(reply, from: "seed"))
        #expect(map.servers == [.host("a", port: 1), .host("b", port: 2), .host("seed", port: 3)])
        #expect(map.owners.map(\.slots) == [0...99, 101...16_383])
        #expect(map.owners.map(\.server) == [.host("a", port: 1), .host("seed", port: 3)])
    }

    @Test("Replies that are no map are refused")
    func malformed() {
        let node = node("a", 1)
        let ranges: [[RedisReply]] = [
            [], [.integer(0), .integer(1)], [.integer(-1), .integer(1), node], [.integer(2), .integer(1), node],
            [.integer(0), .integer(16_384), node], [.integer(.max), .integer(.max), node],
            [.integer(0), .integer(.min), node], [.string([48]), .integer(1), node],
            [.integer(0), .integer(1), .null], [.integer(0), .integer(1), .array([])],
            [.integer(0), .integer(1), self.node("a", 0)], [.integer(0), .integer(1), self.node("a", 65_536)],
            [.integer(0), .integer(1), self.node("?", 7)], [.integer(0), .integer(1), self.node("a", .max)],
        ]
        for range in ranges { #expect(SlotMap(.array([.array(range)]), from: "s") == nil, "\(range)") }
        for reply in [RedisReply.null, .array([]), .integer(1), .error(RedisFault("ERR x")), .array([.integer(1)])] {
            #expect(SlotMap(reply, from: "s") == nil)
        }
        let overlaps = [(0, 99), (99, 100)].map { RedisReply.array([.integer($0.0), .integer($0.1), node]) }
        #expect(SlotMap(.array(overlaps), from: "s") == nil)
        let many = (0..<257).map { RedisReply.array([.integer($0), .integer($0), self.node("h\($0)", 1)]) }
        #expect(SlotMap(.array(many), from: "s") == nil)
        #expect(SlotMap(.array(Array(many.dropLast())), from: "s") != nil)
    }

    @Test("A redirection names a slot and a server")
    func redirections() {
        func redirection(_ text: String) -> Redirection? { Redirection(RedisFault(text), from: "here") }
        let moved = redirection("MOVED 3999 127.0.0.1:6381")
        #expect(moved?.slot == 3999 && moved?.server == .host("127.0.0.1", port: 6381) && moved?.isAsking == false)
        let asking = redirection("ASK 16383 ::1:7")
        #expect(asking?.slot == 16_383 && asking?.server == .host("::1", port: 7) && asking?.isAsking == true)
        #expect(redirection("MOVED 0 :6381")?.server == .host("here", port: 6381))
        for text in [
            "ERR x", "MOVED", "MOVED 1", "MOVED x a:1", "MOVED 16384 a:1", "MOVED -1 a:1", "MOVED 1 a", "MOVED 1 a:0",
            "MOVED 1 a:65536", "ASK 1 a:", "MOVED 99999999999999999999 a:1",
        ] {
            #expect(redirection(text) == nil, "\(text)")
        }
    }
}

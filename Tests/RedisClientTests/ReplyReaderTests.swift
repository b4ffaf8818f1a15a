import RedisClient
import TestSupport
import Testing

/// Tests the parser of replies: `ReplyReader`, which uses hiredis.
@Suite("Replies of Redis")
struct ReplyReaderTests {
    /// Feeds the parts and returns all replies.
    private func replies(
        _ parts: [[UInt8]],
        mostElements: Int = 262_144,
        longestLine: Int = 65_536,
        largestReply: Int = 1 << 20
    ) throws -> [RedisReply] {
        let reader = ReplyReader(mostElements: mostElements, longestLine: longestLine)
        reader.largestReply = largestReply
        var replies: [RedisReply] = []
        for part in parts {
            try part.withUnsafeBytes { try reader.feed($0) }
            while let reply = try reader.next() { replies.append(reply) }
        }
        return replies
    }

    private func replies(_ text: String) throws -> [RedisReply] { try replies([Array(text.utf8)]) }

    static let wellFormed: [(String, [RedisReply])] = [
        ("+OK\r\n", [.status("OK")]),
        ("+\r\n", [.status("")]),
        ("-ERR no\r\n", [.error(RedisFault("ERR no"))]),
        (":42\r\n:-1\r\n", [.integer(42), .integer(-1)]),
        (":9223372036854775807\r\n:-9223372036854775808\r\n", [.integer(.max), .integer(.min)]),
        ("$3\r\na\r\n\r\n", [.string([97, 13, 10])]),
        ("$0\r\n\r\n", [.string([])]),
        ("$-1\r\n*-1\r\n", [.null, .null]),
        ("*0\r\n", [.array([])]),
        ("*2\r\n$1\r\n\u{0}\r\n*1\r\n:7\r\n", [.array([.string([0]), .array([.integer(7)])])]),
        ("*1\r\n-NOPERM x\r\n", [.array([.error(RedisFault("NOPERM x"))])]),
        ("*2\r\n$-1\r\n+a\r\n+b\r\n", [.array([.null, .status("a")]), .status("b")]),
    ]

    @Test("Well-formed replies are read byte by byte, and in every division into two parts", arguments: wellFormed)
    func dividedReplies(text: String, expected: [RedisReply]) throws {
        let bytes = Array(text.utf8)
        #expect(try replies(bytes.map { [$0] }) == expected)
        for middle in bytes.indices {
            #expect(try replies([Array(bytes[..<middle]), Array(bytes[middle...])]) == expected)
        }
    }

    @Test(
        "Malformed bytes are an error",
        arguments: [
            "HTTP/1.1 400 Bad Request\r\n", "?\r\n", "\u{15}\u{3}\u{1}", ":x\r\n", ":9223372036854775808\r\n",
            "$-2\r\n",
            "*-2\r\n", "$9223372036854775808\r\n", "*9223372036854775807\r\n", "*2147483648\r\n", "$1 \r\nx\r\n",
            "$\r\n",
            "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:1\r\n",
        ]
    )
    func malformed(text: String) {
        #expect(throws: ConnectionFailure.self) { try replies(text) }
        #expect(throws: ConnectionFailure.self) { try replies(text.utf8.map { [$0] }) }
    }

    @Test("A reader that failed keeps failing")
    func failedReader() throws {
        let reader = ReplyReader()
        try Array("?".utf8).withUnsafeBytes { try reader.feed($0) }
        #expect(throws: ConnectionFailure.self) { try reader.next() }
        #expect(throws: ConnectionFailure.self) {
            try Array("+OK\r\n".utf8).withUnsafeBytes { try reader.feed($0) }
        }
        #expect(throws: ConnectionFailure.self) { try reader.next() }
    }

    @Test("A length of 2^63 - 1 allocates nothing and waits for its bytes")
    func largestLength() throws {
        #expect(try replies("$9223372036854775807\r\nabc") == [])
    }

    @Test(
        "The elements of all arrays of a reply are limited together",
        arguments: [
            ("*2147483647\r\n", 10), ("*11\r\n", 10), ("*6\r\n*5\r\n", 10),
            ("*2\r\n*4\r\n:1\r\n:1\r\n:1\r\n:1\r\n*5\r\n", 10),
        ]
    )
    func elements(text: String, limit: Int) {
        #expect(throws: ConnectionFailure.self) { try replies([Array(text.utf8)], mostElements: limit) }
    }

    @Test("The limit of elements is for each reply")
    func elementsOfTwoReplies() throws {
        let pair = RedisReply.array([.integer(1), .integer(2)])
        let text = "*2\r\n:1\r\n:2\r\n"
        #expect(try replies([Array((text + text).utf8)], mostElements: 2) == [pair, pair])
    }

    @Test("The bytes of a reply and of a line are limited")
    func bytes() throws {
        let line = Array("+".utf8) + [UInt8](repeating: 97, count: 101)
        #expect(throws: ConnectionFailure.malformed("a line is too long")) { try replies([line], longestLine: 100) }
        let string = Array("$2000\r\n".utf8) + [UInt8](repeating: 97, count: 1000)
        #expect(throws: ConnectionFailure.malformed("a reply is too large")) {
            try replies([string], largestReply: 1000)
        }
        let shorter = Array("$900\r\n".utf8) + [UInt8](repeating: 97, count: 500)
        #expect(try replies([shorter], largestReply: 1000) == [])
        // The elements that were read already count, too.
        let element = Array("$10\r\naaaaaaaaaa\r\n".utf8)
        let array = Array("*100\r\n".utf8) + (0..<60).flatMap { _ in element }
        #expect(throws: ConnectionFailure.malformed("a reply is too large")) {
            try replies([array], largestReply: 1000)
        }
    }
}

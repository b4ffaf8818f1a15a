import RedisClient
import Testing

@Suite("Commands of Redis")
struct RedisCommandTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("A command is an array of bulk strings")
    func encoding() {
        #expect(text(RedisCommand("PING").bytes) == "*1\r\n$4\r\nPING\r\n")
        let command = RedisCommand("SET", .bytes([0, 13, 10]), .integer(-5), .text("é"), "")
        #expect(text(command.bytes) == "*5\r\n$3\r\nSET\r\n$3\r\n\0\r\n\r\n$2\r\n-5\r\n$2\r\né\r\n$0\r\n\r\n")
        let numbers = RedisCommand([0, 99_999_999, 100_000_000, .max, .min].map { .integer($0) })
        #expect(
            text(numbers.bytes)
                == "*5\r\n$1\r\n0\r\n$8\r\n99999999\r\n$9\r\n100000000\r\n$19\r\n9223372036854775807\r\n"
                + "$20\r\n-9223372036854775808\r\n"
        )
        let many = [RedisWord](repeating: "x", count: 1000)
        #expect(text(RedisCommand(["RPUSH"] + many).bytes).hasPrefix("*1001\r\n$5\r\nRPUSH\r\n$1\r\nx\r\n"))
    }

    /// The digest is that of `printf 'return 1' | sha1sum`.
    @Test("A script is called by its SHA-1 digest, and by its source after NOSCRIPT")
    func script() throws {
        let script = RedisScript("return 1")
        let arguments = [RedisWord](repeating: "a", count: 8)
        let command = RedisCommand(script, key: "k", arguments)
        let rest = "$1\r\n1\r\n$1\r\nk\r\n" + String(repeating: "$1\r\na\r\n", count: 8)
        #expect(
            text(command.bytes)
                == "*12\r\n$7\r\nEVALSHA\r\n$40\r\ne0e1f9fabfc9d4800c877a703b823ac0578ff8db\r\n" + rest
        )
        let source = try #require(command.withSource)
        #expect(text(source.bytes) == "*12\r\n$4\r\nEVAL\r\n$8\r\nreturn 1\r\n" + rest)
        #expect(source.withSource == nil && RedisCommand("PING").withSource == nil)
        #expect(source.slot == command.slot && command.slot != nil)
    }
}

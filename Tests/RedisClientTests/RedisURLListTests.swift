import Testing

@testable import RedisClient

@Suite("Lists of Redis URLs")
struct RedisURLListTests {
    @Test(
        "Commas before a scheme separate addresses",
        arguments: [
            ("redis://a", ["redis://a:6379"]),
            ("redis://a,redis://b:1/2", ["redis://a:6379", "redis://b:1/2"]),
            ("unix:///a, rediss://b,redis://c ", ["unix:///a", "rediss://b:6379", "redis://c:6379"]),
            // Commas in a password or a path.
            ("redis://:a,b@h,redis://:c,@i", ["redis://h:6379", "redis://i:6379"]),
            ("unix:///a,b,unix:///c", ["unix:///a,b", "unix:///c"]),
            // Other databases of a server.
            ("redis://a/1,redis://a/2,redis://a:1/1", ["redis://a:6379/1", "redis://a:6379/2", "redis://a:1/1"]),
            (
                (1...64).map { "redis://h:\($0)" }.joined(separator: ","),
                (1...64).map { "redis://h:\($0)" }
            ),
        ]
    )
    func wellFormed(text: String, expected: [String]) throws {
        #expect(try RedisURLList(text).urls.map(\.description) == expected)
    }

    @Test(
        "All faults are named with the positions of their addresses, and without passwords",
        arguments: [
            ("", ["must begin with redis://, rediss:// or unix://"]),
            ("http://secret", ["must begin with redis://, rediss:// or unix://"]),
            (
                "redis://:secret@a,http://b,redis://:secret@c:0",
                [
                    "address 2 of 3: must begin with redis://, rediss:// or unix://",
                    "address 3 of 3: the port must be a number from 1 to 65535",
                ]
            ),
            (
                "redis://a,,redis://b",
                ["address 1 of 2: the host must be a name, an IPv4 address or an IPv6 address in brackets"]
            ),
            ("redis://a:1,b:2", ["the port must be a number from 1 to 65535"]),
            ("redis://:secret@a,rediss://b,redis://A:6379/0", ["address 3 of 3: repeats address 1"]),
            ("unix:///a,unix://:secret@/a?db=0", ["address 2 of 2: repeats address 1"]),
            (
                (1...65).map { "redis://:secret@h:\($0)" }.joined(separator: ","),
                ["must have at most 64 addresses, has 65"]
            ),
        ]
    )
    func malformed(text: String, expected: [String]) {
        #expect(throws: RedisURLListError(faults: expected)) { try RedisURLList(text) }
        #expect(!expected.joined().contains("secret"))
    }
}

import Testing

@testable import RedisClient

@Suite("Lists of Redis URLs")
struct RedisURLListTests {
    @Test(
        "Commas before a scheme separate the addresses of a cluster",
        arguments: [
            ("redis://a/3", ["redis://a/3"]),
            ("unix:///a,b", ["unix:///a,b"]),
            ("redis://a,redis://b:1 , redis://c/0", ["redis://a", "redis://b:1", "redis://c"]),
            // Commas in a password.
            ("redis://:a,b@h,redis://:a,b@i", ["redis://:a,b@h", "redis://:a,b@i"]),
            (
                (1...64).map { "redis://h:\($0)" }.joined(separator: ","),
                (1...64).map { "redis://h:\($0)" }
            ),
        ]
    )
    func wellFormed(text: String, expected: [String]) throws {
        #expect(try RedisURL.list(text) == expected.map { try RedisURL($0) })
    }

    private static let different =
        "must have the scheme, the user and the password of address 1, as all servers of a cluster"

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
            (
                "redis://:secret@a,rediss://:secret@b,redis://c",
                ["address 2 of 3: ", "address 3 of 3: "].map { $0 + different }
            ),
            ("redis://a,unix:///a", ["address 2 of 2: a cluster has no Unix sockets"]),
            ("redis://a/1,redis://b", ["address 1 of 2: a cluster has database 0 only"]),
        ]
    )
    func malformed(text: String, expected: [String]) {
        #expect(throws: RedisURLError(expected)) { try RedisURL.list(text) }
        #expect(!expected.joined().contains("secret"))
    }
}

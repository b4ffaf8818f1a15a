import RedisClient
import Testing

@Suite("Redis URLs")
struct RedisURLTests {
    @Test(
        "Every form of a URL is read",
        arguments: [
            ("redis://localhost", .host("localhost", port: 6379), false, nil, nil, 0),
            ("redis://localhost/", .host("localhost", port: 6379), false, nil, nil, 0),
            ("redis://redis.example:6380/3", .host("redis.example", port: 6380), false, nil, nil, 3),
            ("rediss://:secret@10.0.0.1", .host("10.0.0.1", port: 6379), true, nil, "secret", 0),
            ("rediss://me:p%40ss%2F%3A@[::1]:7000/15", .host("::1", port: 7000), true, "me", "p@ss/:", 15),
            ("redis://me:a:b@h", .host("h", port: 6379), false, "me", "a:b", 0),
            ("redis://me:a@b@h", .host("h", port: 6379), false, "me", "a@b", 0),
            ("unix:///run/redis.sock", .path("/run/redis.sock"), false, nil, nil, 0),
            ("unix://me:pw@/run/a%20b.sock?db=2", .path("/run/a b.sock"), false, "me", "pw", 2),
            ("unix:///run/x?db=0", .path("/run/x"), false, nil, nil, 0),
        ] as [(String, RedisURL.Endpoint, Bool, String?, String?, Int)]
    )
    func wellFormed(
        text: String,
        endpoint: RedisURL.Endpoint,
        isEncrypted: Bool,
        user: String?,
        password: String?,
        database: Int
    ) throws {
        let url = try RedisURL(text)
        #expect(url.endpoint == endpoint)
        #expect(url.isEncrypted == isEncrypted)
        #expect(url.user == user)
        #expect(url.password == password)
        #expect(url.database == database)
    }

    @Test(
        "A malformed URL is an error that names its part",
        arguments: [
            ("", .scheme), ("localhost:6379", .scheme), ("http://localhost", .scheme), ("Redis://localhost", .scheme),
            ("redis://a:1/0,redis://b", .database), ("redis://a,b", .host),
            ("redis://", .host), ("redis://:6379", .host), ("redis://a b", .host), ("redis://[::1", .host),
            ("redis://[::g]", .host), ("redis://[::1]x", .host), ("redis://é", .host), ("redis://::1", .host),
            ("redis://h:", .port), ("redis://h:1:2", .port), ("redis://h:0", .port), ("redis://h:65536", .port),
            ("redis://h:+1", .port),
            ("redis://h:99999999999999999999", .port),
            ("redis://secret@h", .credentials), ("redis://me:@h", .credentials), ("redis://:%zz@h", .credentials),
            ("redis://:%00@h", .credentials), ("redis://:a/b@h", .credentials), ("unix://me@/s", .credentials),
            ("redis://h/x", .database), ("redis://h/-0", .database), ("redis://h/65536", .database),
            ("redis://h/1/2", .database), ("redis://h/99999999999999999999", .database), ("unix:///s?db=", .database),
            ("redis://h?db=1", .query), ("redis://h/1?x", .query), ("unix:///s?x=1", .query),
            ("redis://:a#b@h", .fragment), ("unix://", .path), ("unix://run/s", .path), ("unix:///%zz", .path),
            ("unix:///" + String(repeating: "a", count: 107), .path),
        ] as [(String, RedisURLError)]
    )
    func malformed(text: String, expected: RedisURLError) {
        #expect(throws: expected) { try RedisURL(text) }
        #expect(!expected.description.contains("secret"))
    }

    @Test(
        "The description has no credentials",
        arguments: [
            ("redis://me:secret@h", #"host("h", port: 6379)"#), ("unix://:secret@/s?db=1", #"path("/s")"#),
        ]
    )
    func description(text: String, expected: String) throws {
        #expect(try RedisURL(text).description == expected)
    }

    // MARK: Lists

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
    func list(text: String, expected: [String]) throws {
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
    func malformedList(text: String, expected: [String]) {
        let error = #expect(throws: RedisURLError.self) { try RedisURL.list(text) }
        #expect(error?.faults == expected)
        #expect(!expected.joined().contains("secret"))
    }
}

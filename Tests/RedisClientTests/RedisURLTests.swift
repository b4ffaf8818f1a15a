import Testing

@testable import RedisClient

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
}

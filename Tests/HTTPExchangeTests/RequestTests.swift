import HTTPExchange
import HTTPTypes
import Testing

@Suite
struct TargetTests {
    @Test(
        "a target in any form is divided into its parts, which stay encoded (RFC 9112, section 3.2)",
        arguments: [
            ("/", "/", nil), ("/a/b", "/a/b", nil), ("/a?b=c", "/a", "b=c"), ("/a?", "/a", ""), ("/a?b?c", "/a", "b?c"),
            ("/%2F%00?%26", "/%2F%00", "%26"), ("http://host:80/a?b", "/a", "b"), ("HTTP://HOST/A", "/A", nil),
            ("https://host", "/", nil), ("http://host?a", "/", "a"), ("http://host/", "/", nil), ("*", "*", nil),
            ("host:443", "host:443", nil), ("ftp://host/a", "ftp://host/a", nil), ("", "/", nil), ("?a", "/", "a"),
            ("//host/a", "//host/a", nil), ("/http://host/a", "/http://host/a", nil), ("http:/a", "http:/a", nil),
        ] as [(String, String, String?)]
    )
    func split(raw: String, path: String, query: String?) {
        let target = Target(raw)
        #expect(target.path == path)
        #expect(target.query.map { String($0) } == query)
        #expect(target.raw == raw)
        #expect(target.description == raw)
    }
}

@Suite
struct LinkBaseTests {
    @Test(
        "links begin with the public URL, or with the scheme and the host of the request (RFC 3986, section 3.2.2)",
        arguments: [
            (nil, "a.example:8080", false, "http://a.example:8080"), (nil, "a.example", true, "https://a.example"),
            (nil, "[2001:db8::7]:8080", false, "http://[2001:db8::7]:8080"), (nil, nil, false, "http://localhost"),
            (nil, "a\"b", false, "http://a%22b"), ("https://b.example/x", "a.example", false, "https://b.example/x"),
        ] as [(String?, String?, Bool, String)]
    )
    func base(publicURL: String?, host: String?, isSecure: Bool, expected: String) {
        var asked = Request(method: .get, target: Target("/"))
        asked.fields[.host] = host
        asked.isSecure = isSecure
        #expect(asked.base(publicURL: publicURL) == expected)
    }
}

@Suite
struct FieldsTests {
    private var fields: Fields {
        var fields: Fields = [.eTag: "\"1\"", .vary: "Accept"]
        fields.append(.link, "<a>")
        fields.append(.link, "<b>")
        return fields
    }

    @Test("names are compared without case, and the first value is read")
    func reading() throws {
        let name = try #require(FieldName("eTAG"))
        #expect(fields[name] == "\"1\"")
        #expect(fields[.link] == "<a>")
        #expect(fields[.age] == nil)
        #expect(fields.values(of: .link) == ["<a>", "<b>"])
        #expect(fields.values(of: .age).isEmpty)
        #expect(fields.map(\.name) == [.eTag, .vary, .link, .link])
        #expect(fields.count == 4)
    }

    @Test("a name with one field has a single value; a repeated or missing name has none")
    func single() {
        #expect(fields.single(.vary) == "Accept")
        #expect(fields.single(.link) == nil)
        #expect(fields.single(.age) == nil)
    }

    @Test("setting a value replaces all fields of the name at the first one's position, and nil removes them")
    func writing() {
        var changed = fields
        changed[.link] = "<c>"
        changed[.age] = "7"
        changed[.eTag] = nil
        #expect(changed.map { "\($0.name): \($0.value)" } == ["vary: Accept", "link: <c>", "age: 7"])
        changed[.link] = nil
        #expect(changed.count == 2)
    }
}

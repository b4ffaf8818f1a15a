import HTTPExchange
import Testing

@Suite
struct TargetTests {
    @Test(
        "A target is split in any of its forms, and stays encoded (RFC 9112, section 3.2)",
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
struct FieldsTests {
    private var fields: Fields {
        var fields: Fields = [.eTag: "\"1\"", .vary: "Accept"]
        fields.append(.link, "<a>")
        fields.append(.link, "<b>")
        return fields
    }

    @Test("Names are compared without case, and the first value is the one read")
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

    @Test("A single value is one that nothing contradicts")
    func single() {
        #expect(fields.single(.vary) == "Accept")
        #expect(fields.single(.link) == nil)
        #expect(fields.single(.age) == nil)
    }

    @Test("Setting replaces every field of the name where the first stood, and nil removes them")
    func writing() {
        var changed = fields
        changed[.link] = "<c>"
        changed[.age] = "7"
        changed[.eTag] = nil
        #expect(changed.map { "\($0.name): \($0.value)" } == ["Vary: Accept", "Link: <c>", "Age: 7"])
        changed[.link] = nil
        #expect(changed.count == 2)
    }
}

import HTTPExchange
import HTTPTypes
import Primitives
import Testing

@Suite
struct ByteRangeTests {
    private func response(_ fields: Fields = [.eTag: "\"v1\"", .contentType: "image/png"]) -> Response {
        Response(fields: fields, content: .bytes(Array("0123456789".utf8)))
    }

    @Test(
        "a range selects its part of ten bytes (RFC 9110, section 14.1.2)",
        arguments: [
            ("bytes=0-0", "0", "bytes 0-0/10"), ("bytes=0-", "0123456789", "bytes 0-9/10"),
            ("bytes=3-5", "345", "bytes 3-5/10"), ("bytes=9-", "9", "bytes 9-9/10"),
            ("bytes=5-99", "56789", "bytes 5-9/10"), ("bytes=-3", "789", "bytes 7-9/10"),
            ("bytes=-99", "0123456789", "bytes 0-9/10"), ("BYTES=3-5", "345", "bytes 3-5/10"),
            ("bytes= 3-5", "345", "bytes 3-5/10"),
            ("bytes=3-99999999999999999999", "3456789", "bytes 3-9/10"),
            ("bytes=-99999999999999999999", "0123456789", "bytes 0-9/10"),
        ]
    )
    func part(range: String, text: String, contentRange: String) throws {
        let part = try response().satisfyingRange(of: request(.get, "/", [.range: range]))
        #expect(part.status == .partialContent)
        #expect(part.text == text)
        #expect(part.fields[.contentRange] == contentRange)
        #expect(part.fields[.contentType] == "image/png")
        #expect(part.fields[.eTag] == "\"v1\"")
    }

    @Test(
        "a range outside the content, and any range of empty content, is 416 with the length",
        arguments: [
            ("bytes=10-", 10), ("bytes=10-12", 10), ("bytes=-0", 10), ("bytes=99999999999999999999-", 10),
            ("bytes=0-", 0), ("bytes=-1", 0),
        ]
    )
    func outside(range: String, length: Int) {
        let response = Response(fields: [.eTag: "\"v1\""], content: .bytes([UInt8](repeating: 1, count: length)))
        let problem = #expect(throws: Problem.self) {
            try response.satisfyingRange(of: request(.get, "/", [.range: range]))
        }
        #expect(problem?.status == .rangeNotSatisfiable)
        #expect(problem?.fields[.contentRange] == "bytes */\(length)")
    }

    @Test(
        "a field that is not a single range of bytes gets the whole content",
        arguments: [
            "bytes=", "bytes=-", "bytes=5-3", "bytes=a-b", "bytes=1-2,4-5", "bytes=1-2,", "bytes", "items=1-2", "1-2",
            "",
            "bytes=1-2-3", "bytes=+1-2", "bytes=1", "bytes=--1", "bytes=0x1-2",
        ]
    )
    func whole(range: String) throws {
        let same = try response().satisfyingRange(of: request(.get, "/", [.range: range]))
        #expect(same.status == .ok)
        #expect(same.text == "0123456789")
        #expect(same.fields[.contentRange] == nil)
    }

    @Test(
        "If-Range allows a part only for identical bytes",
        arguments: [
            ("\"v1\"", 206), ("\"v0\"", 200), ("W/\"v1\"", 200), ("v1", 200), ("*", 200),
            ("Sat, 29 Oct 1994 19:43:31 GMT", 200), ("\"v1\", \"v2\"", 200),
        ]
    )
    func ifRange(value: String, status: Int) throws {
        let asked = request(.get, "/", [.range: "bytes=0-1", .ifRange: value])
        #expect(try response().satisfyingRange(of: asked).status.code == status)
    }

    @Test("only a 200 response to a GET with a strong tag is made partial")
    func onlyStrong() throws {
        let asked = request(.get, "/", [.range: "bytes=0-1"])
        for fields: Fields in [[:], [.eTag: "W/\"v1\""], [.eTag: "v1"]] {
            #expect(try response(fields).satisfyingRange(of: asked).status == .ok)
        }
        #expect(try response().satisfyingRange(of: request(.head, "/", [.range: "bytes=0-1"])).status == .ok)
        #expect(try response().satisfyingRange(of: request(.post, "/", [.range: "bytes=0-1"])).status == .ok)
        var created = response()
        created.status = .created
        #expect(try created.satisfyingRange(of: asked).status == .created)
        var twice = asked
        twice.fields.append(.range, "bytes=0-1")
        #expect(try response().satisfyingRange(of: twice).status == .ok)
    }

    @Test("a part of shared bytes is made without a copy, even from a part")
    func shared() throws {
        let buffer = SharedBytes("..0123456789..".utf8)
        let whole = Response(fields: [.eTag: "\"v1\""], content: .shared(buffer, 2..<12))
        let part = try whole.satisfyingRange(of: request(.get, "/", [.range: "bytes=3-5"]))
        guard case .shared(let bytes, let range) = part.content else {
            Issue.record("\(part.content)")
            return
        }
        #expect(bytes === buffer)
        #expect(range == 5..<8)
        #expect(part.text == "345")
        #expect(part.fields[.contentRange] == "bytes 3-5/10")
    }
}

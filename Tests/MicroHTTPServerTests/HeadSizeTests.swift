import HTTPExchange
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import MicroHTTPServer

/// A head up to 8 KiB is answered, a longer one is 414 or 431, and none is closed without an answer: every length around
/// the limits and around the library's memory for a connection.
@Suite struct HeadSizeTests {
    /// The limit by default, and the library's memory for a connection.
    private static let limit = 8192
    private static let memory = 16_384

    /// A form of heads of any length.
    enum Shape: CaseIterable {
        case field, path, query, cookie, cookies, content, shortFields, fields

        var isCookie: Bool { self == .cookie || self == .cookies }
    }

    /// Returns a head with exactly `count` bytes, and the number of its fields.
    private static func head(_ shape: Shape, _ count: Int) -> (text: String, fields: Int) {
        func filled(_ start: String, _ end: String = "\r\n\r\n", with unit: String = "a") -> String {
            let (whole, rest) = (count - start.utf8.count - end.utf8.count).quotientAndRemainder(
                dividingBy: unit.utf8.count
            )
            return start + String(repeating: unit, count: whole) + unit.prefix(rest) + end
        }
        func repeated(_ line: String) -> (String, Int) {
            let start = "GET / HTTP/1.1\r\nHost: a\r\n"
            let whole = (count - start.utf8.count - 8) / line.utf8.count
            return (filled(start + String(repeating: line, count: whole) + "Z: "), whole + 2)
        }
        switch shape {
        case .field: return (filled("GET / HTTP/1.1\r\nHost: a\r\nX: "), 2)
        case .path: return (filled("GET /", " HTTP/1.1\r\nHost: a\r\n\r\n"), 1)
        case .query: return (filled("GET /?", " HTTP/1.1\r\nHost: a\r\n\r\n", with: "a&"), 1)
        case .cookie: return (filled("GET / HTTP/1.1\r\nHost: a\r\nCookie: b="), 2)
        case .cookies: return (filled("GET / HTTP/1.1\r\nHost: a\r\nCookie: ", with: "a=b; "), 2)
        case .content: return (filled("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nX: "), 3)
        case .shortFields: return repeated("a:b\r\n")
        case .fields: return repeated("X-Field-Of-Eighty-Five: \(String(repeating: "b", count: 59))\r\n")
        }
    }

    /// Returns the statuses that a head may have.
    private static func statuses(_ shape: Shape, _ count: Int, fields: Int) -> ClosedRange<Int> {
        // The line end of the head, and the field Host.
        let line = shape == .path || shape == .query ? count - 11 : 20
        if count <= limit || shape.isCookie && count < memory - 2000, fields <= HeadSize.mostFields { return 200...200 }
        if line <= limit { return 431...431 }
        // A line that fills the library's memory is its own refusal, and so are fields after one that nearly does.
        return line < memory - 600 ? 414...414 : 414...431
    }

    private static func status(_ shape: Shape, _ head: String, _ fixture: ServerFixture) throws -> Int {
        let connection = try fixture.connect()
        try connection.send(head + (shape == .content ? "12345" : ""))
        return try connection.readResponse().status
    }

    @Test("every length around the limit is answered", arguments: Shape.allCases)
    func limit(shape: Shape) async throws {
        try await withServer { fixture in
            for count in Self.limit - 60...Self.limit + 300 {
                let head = Self.head(shape, count)
                let status = try Self.status(shape, head.text, fixture)
                #expect(Self.statuses(shape, count, fields: head.fields).contains(status), "\(count): \(status)")
            }
        }
    }

    @Test("every length around the library's memory is answered", arguments: Shape.allCases)
    func memory(shape: Shape) async throws {
        try await withServer { fixture in
            for count in Self.memory - 700...Self.memory + 300 {
                let status = try Self.status(shape, Self.head(shape, count).text, fixture)
                #expect([414, 431].contains(status), "\(count): \(status)")
            }
        }
    }

    @Test("the limit is a setting", arguments: [16_384, 65_536])
    func setting(limit: Int) async throws {
        try await withServer(configure: { $0.maxHeadBytes = limit }) { fixture in
            for shape in [Shape.field, .content, .fields] {
                let count = shape == .fields ? 8400 : limit
                let (head, fields) = Self.head(shape, count)
                #expect(fields <= HeadSize.mostFields)
                let status = try Self.status(shape, head, fixture)
                #expect(status == 200)
            }
            let field = try Self.status(.field, Self.head(.field, limit + 1).text, fixture)
            let path = try Self.status(.path, Self.head(.path, limit + 50).text, fixture)
            #expect((field, path) == (431, 414))
        }
    }

    @Test("cookies of other services on the host do not count towards the limit", arguments: [Shape.cookie, .cookies])
    func cookiesOfOthers(shape: Shape) async throws {
        try await withServer { fixture in
            for count in [8193, 10_000, 14_000] {
                let status = try Self.status(shape, Self.head(shape, count).text, fixture)
                #expect(status == 200)
            }
            let (head, _) = Self.head(shape, 15_500)
            let response = try fixture.connect().exchange(head)
            #expect(response.status == 431)
            #expect(response["Date"]?.hasSuffix(" GMT") == true, "RFC 9110, section 6.6.1")
        }
    }

    @Test("every number of short fields is answered")
    func fields() async throws {
        try await withServer { fixture in
            for count in 1...300 {
                let lines = String(repeating: "a:b\r\n", count: count - 1)
                let response = try fixture.connect().exchange("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n")
                #expect(response.status == (count <= HeadSize.mostFields ? 200 : 431), "\(count)")
            }
        }
    }

    @Test("trailers count as fields: no request is served without an answer")
    func trailers() async throws {
        let served = Atomic(0)
        try await withServer(answer: { _ in
            served.add(1, ordering: .relaxed)
            return .now(.text("hello"))
        }) { fixture in
            for count in [1, 97, 98, 99, 100, 150, 228, 231, 300] {
                let before = served.load(ordering: .relaxed)
                let trailers = String(repeating: "t:v\r\n", count: count)
                let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                let response = try fixture.connect().exchange(head + "2\r\n{}\r\n0\r\n\(trailers)\r\n")
                let isAllowed = count + 2 <= HeadSize.mostFields
                #expect(response.status == (isAllowed ? 200 : 431), "\(count)")
                #expect(served.load(ordering: .relaxed) == before + (isAllowed ? 1 : 0), "\(count)")
            }
        }
    }

    @Test("the bytes of trailers count as those of the head: no request is served without an answer")
    func longTrailers() async throws {
        let served = Atomic(0)
        try await withServer(
            configure: { $0.maxBodyBytes = 2 },
            answer: { _ in
                served.add(1, ordering: .relaxed)
                return .now(.text("hello"))
            }
        ) { fixture in
            let pad = "Pad: " + String(repeating: "a", count: 7000)
            for (content, expected) in [("2\r\n{}", 200), ("3\r\n{ }", 413)] {
                for count in [10, 1000, 5000, 8000, 8500, 8600, 8700, 9000, 15_600] {
                    let head = "POST / HTTP/1.1\r\nHost: a\r\n\(pad)\r\nTransfer-Encoding: chunked\r\n\r\n"
                    let trailer = "t: " + String(repeating: "v", count: count)
                    let response = try fixture.connect().exchange(head + content + "\r\n0\r\n\(trailer)\r\n\r\n")
                    #expect(response.status == (count <= 5000 ? expected : 431), "\(count)")
                }
            }
            #expect(served.load(ordering: .relaxed) == 3)
        }
    }

    @Test("the largest head leaves room for that of its response, also with more requests behind it")
    func responseHead() async throws {
        let start = "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "a:b\r\n", count: HeadSize.mostFields - 2)
        let rest = Self.limit - start.utf8.count - 7
        let head = start + "X: " + String(repeating: "a", count: rest) + "\r\n\r\n"
        #expect(head.utf8.count == Self.limit)
        let room = HeadSize(line: 16, whole: Self.limit, fields: HeadSize.mostFields).room(limit: Self.limit)
        #expect(room == HeadSize.leastRoom)
        // The other lines are written by the library.
        let location = String(repeating: "l", count: room - 200 - "Location: \r\n".utf8.count)
        try await withServer(answer: { _ in .now(Response(fields: [.location: location])) }) { fixture in
            let connection = try fixture.connect()
            try connection.send(head + head + head)
            for _ in 0..<3 { #expect(try connection.readResponse().status == 200) }
        }
    }

    @Test("no length of a response's head closes the connection without an answer")
    func largeResponses() async throws {
        let answer: @Sendable (Request) -> Reply = { request in
            let count = request.fields[.range].flatMap { Int($0) } ?? 0
            return .now(Response(fields: [.location: String(repeating: "l", count: count)], content: .bytes([1])))
        }
        try await withServer(answer: answer) { fixture in
            for (size, fields) in [(100, 2), (4000, 50), (8192, 2), (8192, 60), (8192, 100)] {
                var statuses: [Int] = []
                for count in stride(from: 100, through: 16_500, by: 41) {
                    let start =
                        "GET / HTTP/1.1\r\nHost: a\r\nRange: \(count)\r\n"
                        + String(repeating: "a:b\r\n", count: max(0, fields - 3)) + "X: "
                    let padding = String(repeating: "a", count: max(0, size - start.utf8.count - 4))
                    statuses.append(try fixture.connect().exchange(start + padding + "\r\n\r\n").status)
                }
                let room = HeadSize(line: 16, whole: size, fields: fields).room(limit: Self.limit)
                #expect(statuses.filter { $0 == 200 }.count >= room / 41 - 10)
                #expect(Set(statuses) == [200, 431])
                #expect(statuses == statuses.sorted())
            }
        }
    }

    @Test("a response is sent without its Link if only that makes its head too large")
    func largeLink() async throws {
        let answer: @Sendable (Request) -> Reply = { request in
            func value(_ name: FieldName) -> String {
                String(repeating: "l", count: Int(request.fields[name] ?? "") ?? 0)
            }
            let fields: Fields = [.link: value(.link), .location: value(.location), .eTag: "t"]
            let response = Response(fields: fields, content: .bytes([1]))
            return request.fields[.range] == nil ? .now(response) : .later { response }
        }
        try await withServer(answer: answer) { fixture in
            for (link, location, status, hasLink) in [
                (7000, 1, 200, true), (9000, 1, 200, false), (40_000, 1, 200, false), (9000, 7000, 200, false),
                (1, 9000, 431, false),
            ] {
                for range in ["", "Range: 0\r\n"] {
                    let lengths = "Link: \(link)\r\nLocation: \(location)\r\n"
                    let response = try fixture.connect().exchange(
                        "GET / HTTP/1.1\r\nHost: a\r\n\(lengths)\(range)\r\n"
                    )
                    #expect(response.status == status && (response["Link"] != nil) == hasLink)
                    #expect(response.text == (status == 200 ? "\u{1}" : "responseHeadTooLarge"))
                    #expect(response["ETag"] == (status == 200 ? "t" : nil))
                }
            }
        }
    }

    @Test("a head that is sent in parts gets its refusal although the client is still sending", arguments: [2, 5, 20])
    func parts(count: Int) async throws {
        try await withServer { fixture in
            for (shape, size) in [
                (Shape.field, 9000), (.field, 17_000), (.path, 9000), (.path, 17_000), (.field, 60_000),
            ] {
                let bytes = Array(Self.head(shape, size).text.utf8)
                let connection = try fixture.connect()
                for start in stride(from: 0, to: bytes.count, by: bytes.count / count) {
                    try connection.send(Array(bytes[start..<min(bytes.count, start + bytes.count / count)]))
                }
                #expect([414, 431].contains(try connection.readResponse().status), "\(shape) \(size)")
            }
        }
    }

    @Test("a refusal is counted by its reason, closes the connection, and has no content for a HEAD")
    func refusal() async throws {
        try await withServer { fixture in
            let get = try fixture.connect().exchange(Self.head(.field, 9000).text)
            #expect(get.status == 431 && get.closes && get.text == "headTooLarge")
            let head = try fixture.connect()
            try head.send("HEAD" + Self.head(.path, 9000).text.dropFirst(3))
            let response = try head.readResponse(toHead: true)
            #expect(response.status == 414 && response["Content-Length"] == "13")
            #expect(head.isClosed())
            #expect(eventually { fixture.statistics.exchanges[.refused] == 2 })
            #expect(eventually { fixture.statistics.activeRequests == 0 })
        }
    }

    @Test("cookies are accepted anywhere in a head")
    func cookies() async throws {
        try await withServer(
            answer: { request in
                .now(.text(request.fields.map { "\($0.name)=\($0.value)" }.joined(separator: "|")))
            }
        ) { fixture in
            let response = try fixture.connect().exchange(
                "GET / HTTP/1.1\r\nCookie: a=b; c=d\r\nHost: a\r\ncookie: e\r\nCookie:\r\nOrigin:\r\n\r\n"
            )
            #expect(response.text == "host=a|origin=")
        }
    }
}

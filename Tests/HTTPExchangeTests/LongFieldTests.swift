import HTTPExchange
import HTTPTypes
import Primitives
import TestSupport
import Testing

/// Tests that the time to read a field or a target is proportional to its length.
///
/// The texts are longer than any server accepts, so a quadratic algorithm would take minutes.
@Suite("Long fields", .timeLimit(.minutes(1)))
struct LongFieldTests {
    private static let count = 100_000

    private func expectSoon(_ body: () throws -> Void) rethrows {
        let time = try processorTime(body)
        #expect(time < .seconds(10))
    }

    @Test(
        "lists are read in linear time",
        arguments: [",", "a,", "\"a,", "\\\",", "\"x\",", " ,\t", "W/\"a\" , ", "é,", "  "]
    )
    func lists(piece: String) {
        let text = String(repeating: piece, count: Self.count)
        expectSoon {
            _ = FieldScanner.elements(of: text)
            _ = text[...].trimmingBlanks()
            _ = Accept([text]).best(of: [.json])
            _ = EntityTag.list(text)
            _ = EntityTagCondition(.ifNoneMatch, in: [.ifNoneMatch: text])?.has(
                EntityTag(strong: "b")
            )
            _ = ByteRange.requested(by: "bytes=\(text)", of: 10)
            _ = TraceContext(traceparent: text, spanID: 1)
        }
    }

    @Test(
        "parameters of a media type are read in linear time",
        arguments: [";", ";a=b", ";a=\"\\\"\"", "; ", ";q=0.5"]
    )
    func parameters(piece: String) {
        let text = "text/css" + String(repeating: piece, count: Self.count)
        expectSoon {
            _ = MediaType(text)
            _ = Accept([text]).best(of: [.css])
        }
    }

    @Test("a query is read in linear time", arguments: ["&", "a&", "=&", "a=1&", "%41=%42&", "+=+&", "%&"])
    func queries(piece: String) {
        let target = Target("/?" + String(repeating: piece, count: Self.count))
        expectSoon { _ = try? Query(target, allowing: ["a", "b"]) }
    }

    @Test("a path is routed in linear time", arguments: ["/", "/a", "/%2e", "%2f", "/..", "//"])
    func paths(piece: String) throws {
        let router = Router(routes: [.get("/a/{b}/c", saying("")), .get("/{x}/a/{y}", saying(""))])
        let target = Target("/" + String(repeating: piece, count: Self.count))
        expectSoon { _ = router.match(.get, target) }
    }

    @Test("many fields of one name are found in linear time")
    func manyFields() {
        var asked = request(.get, "/")
        for _ in 0..<Self.count { asked.fields.append(.accept, "a/b, ") }
        expectSoon {
            _ = try? asked.preferred(of: [.json])
            _ = asked.fields.single(.accept)
        }
    }
}

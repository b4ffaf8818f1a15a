import HTTPExchange
import HTTPTypes
import ServiceHarness
import TestSupport
import Testing

/// Answers that depend on their query alone may be cached.
@Suite("Pure motion answers")
struct PureAnswerTests {
    @Test(
        "have a strong ETag and a long lifetime, and are revalidated with 304",
        arguments: try Checkout.exampleTargets(tag: "Motion").values.sorted()
    )
    func caching(target: String) throws {
        let service = try Service()
        let answer = service.get(target)
        let tag = try #require(answer.fields[.eTag])
        #expect(answer.status == 200 && tag.hasPrefix("\"") && !answer.bytes.isEmpty, "\(answer.text)")
        #expect(answer.fields[.cacheControl] == "public, max-age=2592000")
        let again = service.get(target, [.ifNoneMatch: tag])
        #expect(again.status == 304 && again.fields[.eTag] == tag)
        #expect(again.fields[.cacheControl] == "public, max-age=2592000")
    }
}

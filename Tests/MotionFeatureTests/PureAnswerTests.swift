import HTTPExchange
import HTTPTypes
import Testing

/// Answers that depend on their query alone may be cached.
@Suite("Pure motion answers")
struct PureAnswerTests {
    static let targets = [
        "/v1/springs?dampingRatio=0.8&response=0.3", "/v1/springs/curve?dampingRatio=0.8&response=0.3&fps=60",
        "/v1/springs/linear?dampingRatio=1&response=0.3&maxError=0.05",
        "/v1/springs/retarget?dampingRatio=1&response=0.3&start=0&target=100&velocity=0&time=0.1&newTarget=50",
        "/v1/springs/compare?a.dampingRatio=1&a.response=0.3&b.dampingRatio=1&b.response=0.4",
        "/v1/springs/plot.svg?dampingRatio=1&response=0.3", "/v1/springs/plot.png?dampingRatio=1&response=0.3",
        "/v1/springs/presets", "/v1/springs/conventions",
        "/v1/projection?velocity=1000", "/v1/rubberband?model=power&offset=100",
        "/v1/relative-velocity?velocity=100&current=0&target=50",
    ]

    @Test("have a strong ETag and a long lifetime, and are revalidated with 304", arguments: targets)
    func caching(target: String) async throws {
        let service = try MotionService()
        let answer = try await service.get(target)
        let tag = try #require(answer.fields[.eTag])
        #expect(answer.status == 200 && tag.hasPrefix("\"") && !answer.bytes.isEmpty, "\(answer.text)")
        #expect(answer.fields[.cacheControl] == "public, max-age=2592000")
        let again = try await service.get(target, fields: [.ifNoneMatch: tag])
        #expect(again.status == 304 && again.fields[.eTag] == tag)
        #expect(again.fields[.cacheControl] == "public, max-age=2592000")
    }
}

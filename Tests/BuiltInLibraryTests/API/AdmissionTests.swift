import BuiltInLibrary
import HTTPExchange
import HTTPTypes
import ServiceHarness
import TestSupport
import Testing

@Suite("Keys and the hourly limit")
struct AdmissionTests {
    @Test("a missing key and an empty key are 401 with the upstream's text, and do not count")
    func keys() async throws {
        let library = LibraryFixture(requestsPerHour: 2)
        for key in [nil, "", nil] as [String?] {
            let answer = try await library.ask("/photos", key: key)
            #expect(answer.status == 401)
            #expect(answer.text == "{\"errors\":[\"OAuth error: The access token is invalid\"]}")
        }
        #expect(try await library.ask("/photos", key: "any").status == 200)
        // The upstream also accepts the key in the query, where proxies may log it.
        #expect(try await library.ask("/photos?client_id=any", key: nil).status == 200)
    }

    @Test(
        "calls count down; then lists are 403 with plain text until the full hour of the clock, and pictures are served"
    )
    func limit() async throws {
        let clock = TestClock.fixed()
        let library = LibraryFixture(clock: clock, requestsPerHour: 3)
        for left in [2, 1, 0] {
            let answer = try await library.ask(left == 1 ? "/photos/abc123" : "/photos")
            #expect(answer.status == (left == 1 ? 404 : 200))
            #expect(answer.fields[.xRateLimitLimit] == "3")
            #expect(answer.fields[.xRateLimitRemaining] == String(left))
        }
        for seconds in [0, 39 * 60 + 59] {
            clock.advance(seconds: seconds)
            let refused = try await library.ask("/photos")
            #expect(refused.status == 403)
            #expect(refused.text == "Rate Limit Exceeded")
            #expect(refused.fields[.contentType]?.hasPrefix("text/") == true)
            #expect(refused.fields[.xRateLimitRemaining] == "0")
            #expect(refused.fields[.retryAfter] == nil)
        }
        for unknown in ["nothing?ixid=x", "a/b/c"] {
            #expect(try await library.ask("/images/\(unknown)", key: nil).status == 404)
        }
        clock.advance(seconds: 1)
        #expect(try await library.ask("/photos").fields[.xRateLimitRemaining] == "2")
    }
}

import BuiltInLibrary
import HTTPExchange
import HTTPTypes
import TestSupport
import Testing

@Suite("Keys and the hourly limit")
struct AdmissionTests {
    private let clock = TestClock.fixed()

    @Test("a missing key and an empty key are 401 with the upstream's text")
    func keys() async throws {
        let library = LibraryFixture(clock: clock)
        for key in [nil, ""] as [String?] {
            let answer = try await library.ask("/photos", key: key)
            #expect(answer.status == 401)
            #expect(answer.text == "{\"errors\":[\"OAuth error: The access token is invalid\"]}")
        }
        #expect(try await library.ask("/photos", key: "any").status == 200)
        // The upstream also accepts the key in the query, where proxies may log it.
        #expect(try await library.ask("/photos?client_id=any", key: nil).status == 200)
    }

    @Test("the hour's calls count down; then lists are 403 with plain text, and pictures are served")
    func limit() async throws {
        let library = LibraryFixture(clock: clock, requestsPerHour: 3)
        for left in [2, 1, 0] {
            let answer = try await library.ask(left == 1 ? "/photos/abc123" : "/photos")
            #expect(answer.status == (left == 1 ? 404 : 200))
            #expect(answer.fields[.xRateLimitLimit] == "3")
            #expect(answer.fields[.xRateLimitRemaining] == String(left))
        }
        for _ in 0..<2 {
            let refused = try await library.ask("/photos")
            #expect(refused.status == 403)
            #expect(refused.text == "Rate Limit Exceeded")
            #expect(refused.fields[.contentType]?.hasPrefix("text/") == true)
            #expect(refused.fields[.xRateLimitRemaining] == "0")
            #expect(refused.fields[.retryAfter] == nil)
        }
        let picture = try await library.ask("/images/nothing?ixid=x", key: nil)
        #expect(picture.status == 404)
    }

    @Test("the limit is full again at the full hour of the clock, not an hour later")
    func hour() async throws {
        let library = LibraryFixture(clock: clock, requestsPerHour: 1)
        #expect(try await library.ask("/photos").status == 200)
        clock.advance(seconds: 39 * 60 + 59)
        #expect(try await library.ask("/photos").status == 403)
        clock.advance(seconds: 1)
        #expect(try await library.ask("/photos").status == 200)
        #expect(try await library.ask("/photos").status == 403)
    }

    @Test("a request without a key does not count against the hour")
    func unauthorisedIsFree() async throws {
        let library = LibraryFixture(clock: clock, requestsPerHour: 1)
        for _ in 0..<3 { _ = try await library.ask("/photos", key: nil) }
        #expect(try await library.ask("/photos").status == 200)
    }
}

import HTTPExchange
import HTTPTypes
import Synchronization

/// The upstream's hourly allowance.
///
/// It is full again at every full hour of the clock, not an hour after the first call; pictures do not count.
final class RateLimit: Sendable {
    private struct State {
        var hour = Int.min
        var used = 0
    }

    /// Requests an hour; nil for no limit.
    private let limit: Int?
    private let state = Mutex(State())

    init(limit: Int?) {
        self.limit = limit
    }

    /// What became of a request.
    struct Decision: Sendable, Equatable {
        var isAdmitted: Bool
        var limit: Int
        var remaining: Int

        /// The upstream's two fields, on successes and errors alike.
        var fields: Fields { [.xRateLimitLimit: String(limit), .xRateLimitRemaining: String(remaining)] }
    }

    /// Counts a request at `now`, a Unix time in seconds.
    func take(at now: Int) -> Decision {
        guard let limit else { return Decision(isAdmitted: true, limit: Self.unlimited, remaining: Self.unlimited) }
        return state.withLock { state in
            if state.hour != now / 3600 { state = State(hour: now / 3600, used: 0) }
            guard state.used < limit else { return Decision(isAdmitted: false, limit: limit, remaining: 0) }
            state.used += 1
            return Decision(isAdmitted: true, limit: limit, remaining: limit - state.used)
        }
    }

    /// The answer when it is used up: text, where every other error is JSON.
    static var refusal: Response {
        var response = Response.text("Rate Limit Exceeded", type: "text/html; charset=utf-8", status: .forbidden)
        response.fields[.cacheControl] = "no-cache"
        return response
    }

    /// What the upstream's own staging hosts say when they have no limit.
    private static let unlimited = 99_999_999
}

import HTTPExchange
import PhotoFeed

extension Context {
    /// Runs a handler within the request's trace, so that the calls that it starts carry the trace to the library.
    func traced(_ body: () throws -> Reply) rethrows -> Reply {
        guard let parent = trace?.traceparent else { return try body() }
        let reply = try UpstreamTrace.$parent.withValue(parent) { try body() }
        guard case .later(let work) = reply else { return reply }
        return .later { try await UpstreamTrace.$parent.withValue(parent) { try await work() } }
    }
}

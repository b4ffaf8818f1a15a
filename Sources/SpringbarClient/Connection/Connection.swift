import Foundation

/// The connection to a service: its address, the token and the kept responses.
actor Connection {
    nonisolated let base: String
    nonisolated let transport: any Transport
    private let authorize: (@Sendable () async -> String?)?
    private let pause: @Sendable (Double) async throws -> Void
    private var token: String?
    private var authorizing: Task<String?, Never>?
    private let cache = ResponseCache(byteLimit: 16 << 20)

    /// The longest `Retry-After` that a GET waits for, in seconds, and the number of its retries.
    private static let (longestDelay, retries) = (15.0, 5)

    init(
        base: String,
        transport: any Transport,
        token: String? = nil,
        authorize: (@Sendable () async -> String?)? = nil,
        pause: @escaping @Sendable (Double) async throws -> Void = Connection.sleep
    ) {
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
        self.transport = transport
        self.token = token
        self.authorize = authorize
        self.pause = pause
    }

    /// Waits for a number of seconds; a cancelled task waits no longer.
    static let sleep: @Sendable (Double) async throws -> Void = { seconds in
        try await Task.sleep(nanoseconds: UInt64(exactly: (seconds * 1e9).rounded()) ?? 0)
    }

    /// Sends a request once, with the token; asks for another token if this one is refused.
    func send(_ request: ServiceRequest) async throws(Problem) -> ServiceResponse {
        var request = request
        request.fields["Accept"] = request.fields["Accept"] ?? "application/json"
        request.fields["X-Client"] = "springbar-swift/\(Springbar.version)"
        if request.content != nil { request.fields["Content-Type"] = "application/json" }
        let used = token
        request.fields["Authorization"] = used.map { "Bearer \($0)" }
        let response = try await transport.send(request, base: base)
        guard response.status == 401, let other = await otherToken(than: used) else { return response }
        request.fields["Authorization"] = "Bearer \(other)"
        return try await transport.send(request, base: base)
    }

    /// Returns the response to a GET from the cache or the service, and retries while the service is briefly too busy.
    ///
    /// - Throws: the problem of an error response or of a missing one.
    func get(_ request: ServiceRequest) async throws(Problem) -> ServiceResponse {
        for attempt in 0... {
            do {
                return try await revalidated(request)
            } catch {
                guard error.status == 503, let wish = error.retryAfter, wish <= Connection.longestDelay,
                    attempt < Connection.retries
                else { throw error }
                let seconds = BackOff.pause(attempt: attempt, retryAfter: wish, random: .random(in: 0...1))
                do { try await pause(seconds) } catch { throw .cancelled }
            }
        }
        throw .cancelled
    }

    private func revalidated(_ request: ServiceRequest) async throws(Problem) -> ServiceResponse {
        let target = request.target
        let kept = cache.entry(for: target)
        if let kept, Connection.now < kept.freshUntil { return kept.response }
        var request = request
        if let etag = kept?.response.fields["etag"] { request.fields["If-None-Match"] = etag }
        do {
            let response = try await send(request)
            if response.status == 304, let kept {
                kept.renew(with: response.fields, now: Connection.now)
                return kept.response
            }
            if response.status >= 400 { _ = try response.document() }
            cache.store(response, for: target, now: Connection.now)
            return response
        } catch {
            guard error.isTransient, let kept, Connection.now < kept.usableUntil else { throw error }
            return kept.response
        }
    }

    /// Returns another token than the one that was refused; all waiting requests share one call.
    private func otherToken(than refused: String?) async -> String? {
        if token != refused { return token }
        guard let authorize else { return nil }
        let running = authorizing ?? Task { await authorize() }
        authorizing = running
        token = await running.value
        authorizing = nil
        return token
    }

    static var now: Double { ProcessInfo.processInfo.systemUptime }

    func value<Value: Decodable>(_ type: Value.Type, _ request: ServiceRequest) async throws(Problem) -> Value {
        let response = try await get(request)
        do {
            return try JSONDecoder().decode(type, from: Data(response.content))
        } catch {
            throw .unreadable(status: response.status)
        }
    }
}

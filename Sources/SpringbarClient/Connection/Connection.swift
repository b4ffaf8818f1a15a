import Foundation

/// The connection to a service: its address, the token and the kept responses.
actor Connection {
    nonisolated let base: String
    nonisolated let transport: any Transport
    nonisolated let clock: any ClientClock
    private let authorize: (@Sendable () async throws -> String?)?
    private var token: String?
    private var authorizing: Task<String?, any Error>?
    /// The GET requests in progress, by their targets.
    private(set) var loads: [String: SharedLoad<ServiceResponse>] = [:]
    private let cache = ResponseCache(byteLimit: 16 << 20)

    /// The name of this library, in each request.
    static let client = "springbar-swift/\(Springbar.version)"
    /// The longest `Retry-After` that a GET waits for, in seconds, and the number of its retries.
    private static let (longestDelay, retries) = (15.0, 5)

    init(
        base: String,
        transport: any Transport,
        token: String? = nil,
        clock: any ClientClock = SystemClock(),
        authorize: (@Sendable () async throws -> String?)? = nil
    ) {
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
        self.transport = transport
        self.token = token
        self.clock = clock
        self.authorize = authorize
    }

    /// Sends a request once, with the token; if this one is refused, asks once for another.
    func send(_ request: ServiceRequest) async throws(Problem) -> ServiceResponse {
        var request = request
        request.fields["Accept"] = request.fields["Accept"] ?? "application/json"
        request.fields["X-Client"] = Connection.client
        if request.content != nil { request.fields["Content-Type"] = "application/json" }
        var used = token
        request.fields["Authorization"] = used.map { "Bearer \($0)" }
        var response = try await transport.send(request, base: base)
        // A request without a token has none that was refused.
        for _ in 0..<(used == nil ? 2 : 1) where response.status == 401 {
            used = try await otherToken(than: used)
            guard let used else { break }
            request.fields["Authorization"] = "Bearer \(used)"
            response = try await transport.send(request, base: base)
        }
        return response
    }

    /// Returns the response to a GET, which equal requests at the same time share, from the cache or the service.
    ///
    /// - Throws: the problem of an error response or of a missing one.
    func get(_ request: ServiceRequest) async throws(Problem) -> ServiceResponse {
        let target = request.target
        let shared = loads[target] ?? SharedLoad(Task { try await load(request) })
        loads[target] = shared
        // The last task that leaves it has its result, or has cancelled it.
        defer { if shared.waiting == 0, loads[target] === shared { loads[target] = nil } }
        do { return try await shared.value() } catch {
            throw error as? Problem ?? .cancelled
        }
    }

    /// Retries while the service is briefly too busy.
    private func load(_ request: ServiceRequest) async throws(Problem) -> ServiceResponse {
        for attempt in 0... {
            do {
                return try await revalidated(request)
            } catch {
                guard error.status == 503, let wish = error.retryAfter, wish <= Connection.longestDelay,
                    attempt < Connection.retries
                else { throw error }
                let seconds = BackOff.pause(attempt: attempt, retryAfter: wish, random: .random(in: 0...1))
                do { try await clock.sleep(until: clock.now + seconds) } catch { throw .cancelled }
            }
        }
        throw .cancelled
    }

    private func revalidated(_ request: ServiceRequest) async throws(Problem) -> ServiceResponse {
        let target = request.target
        let kept = cache.entry(for: target)
        if let kept, clock.now < kept.freshUntil { return kept.response }
        var request = request
        if let etag = kept?.response.fields["etag"] { request.fields["If-None-Match"] = etag }
        do {
            let response = try await send(request)
            if response.status == 304, let kept {
                kept.renew(with: response.fields, now: clock.now)
                return kept.response
            }
            if response.status >= 400 { _ = try response.document() }
            if response.isOfType(request.fields["Accept"]) { cache.store(response, for: target, now: clock.now) }
            return response
        } catch {
            guard error.isTransient, let kept, clock.now < kept.usableUntil else { throw error }
            return kept.response
        }
    }

    /// Returns another token than the one that was refused; all waiting requests share one call.
    ///
    /// - Throws: `unauthorized` if `authorize` fails.
    private func otherToken(than refused: String?) async throws(Problem) -> String? {
        if token != refused { return token }
        guard let authorize else { return nil }
        let running = authorizing ?? Task { try await authorize() }
        authorizing = running
        let result = await running.result
        if authorizing == running {
            authorizing = nil
            token = (try? result.get()) ?? nil
        }
        do { return try result.get() } catch {
            throw Problem(status: 401, code: "unauthorized", detail: "`authorize` failed: \(error)")
        }
    }

    func value<Value: Decodable>(_ type: Value.Type, _ request: ServiceRequest) async throws(Problem) -> Value {
        let response = try await get(request)
        do {
            return try JSONDecoder().decode(type, from: Data(response.content))
        } catch {
            throw .unreadable(status: response.status)
        }
    }
}

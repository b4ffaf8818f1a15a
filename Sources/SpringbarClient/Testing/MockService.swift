import Foundation

/// A service in memory for the tests of an app: bars with the service's rules, outages, and answers that the test gives.
///
/// With `Springbar(transport: service, clock: service)` the pauses of the client end with ``advance(by:)``; without the clock
/// they take their time. `@unchecked Sendable`: the lock guards all properties.
public final class MockService: Transport, ClientClock, @unchecked Sendable {
    private let lock = NSLock()
    private var bars = MockBars()
    private var sent: [ServiceRequest] = []
    private var isReachable = true
    private var answers: [(ServiceRequest) -> ServiceResponse?] = []
    private var time = 0.0
    private var pauses: [(end: Double, continuation: AsyncStream<Never>.Continuation)] = []

    /// A service without bars.
    public init() {}

    /// The requests so far.
    public var requests: [ServiceRequest] { lock.withLock { sent } }

    /// Whether the service can be reached.
    public var isUp: Bool {
        get { lock.withLock { isReachable } }
        set { lock.withLock { isReachable = newValue } }
    }

    /// Answers requests of a method to a path; the last answer that is given and not nil is used.
    public func on(_ method: String, _ path: String, _ answer: @escaping @Sendable (ServiceRequest) -> ServiceResponse?)
    {
        lock.withLock {
            answers.append { $0.method == method && $0.path == path ? answer($0) : nil }
        }
    }

    /// Answers requests of a method to a path with JSON.
    public func on(_ method: String, _ path: String, json: String, status: Int = 200) {
        on(method, path) { _ in ServiceResponse(status: status, json: json) }
    }

    /// Loses all bars, as a killed process does.
    public func kill() { lock.withLock { bars = MockBars() } }

    /// Seconds of the clock, which begins at 0.
    public var now: Double { lock.withLock { time } }

    /// Waits until the test lets the time pass.
    public func sleep(until end: Double) async throws {
        let (pause, continuation) = AsyncStream.makeStream(of: Never.self)
        lock.withLock { pauses.append((end, continuation)) }
        advance(by: 0)
        for await _ in pause {}
        try Task.checkCancellation()
    }

    /// Lets seconds pass on the clock, and ends the pauses that are over.
    public func advance(by seconds: Double) {
        lock.lock()
        defer { lock.unlock() }
        time += seconds
        for pause in pauses where pause.end <= time { pause.continuation.finish() }
        pauses.removeAll { $0.end <= time }
    }

    /// Answers a request as the service does, after the tasks that are ready.
    public func send(_ request: ServiceRequest, base: String) async throws(Problem) -> ServiceResponse {
        await Task.yield()
        guard let response = response(to: request) else {
            throw Problem(code: "unreachable", detail: "The service is down.")
        }
        return response
    }

    /// Returns the response to a request; nil if the service cannot be reached.
    private func response(to request: ServiceRequest) -> ServiceResponse? {
        let answers = lock.withLock {
            sent.append(request)
            return isReachable ? self.answers : nil
        }
        guard let answers else { return nil }
        // Without the lock, because an answer of the test may use this service.
        for answer in answers.reversed() {
            if let response = answer(request) { return response }
        }
        return lock.withLock { bars.respond(to: request) }
    }
}

extension ServiceResponse {
    /// A response with JSON.
    public init(status: Int = 200, json: String) {
        self.init(status: status, fields: ["content-type": "application/json"], content: Array(json.utf8))
    }
}

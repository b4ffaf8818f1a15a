import HTTPExchange
import HTTPTypes
import JSON
import Logging
import Primitives
import SharedState
import Synchronization
import TestSupport
import Testing

@testable import BarFeature

/// The routes of bars in process, with the time and the ids of the bars under the control of the test.
final class BarAPI: Sendable {
    let sessions: BarSessions
    let clock: TestClock
    private let application: Application
    /// The shared store; nil for a store in memory.
    private let shared: (any CountingStore)?

    init(
        maxSessions: Int = 1000,
        maxBytes: Int = 1 << 28,
        maxSessionsPerClient: Int = 0,
        tokens: [String] = [],
        seed: UInt64 = 1,
        store: (any BarStore)? = nil,
        shared: (any CountingStore)? = nil,
        clock: TestClock = TestClock()
    ) throws {
        self.clock = clock
        let ids = Lock(SeededGenerator(seed: seed))
        self.shared = BarStoreKind.current == .memory ? nil : shared ?? Self.shared(clock)
        let kindsStore: any BarStore =
            switch BarStoreKind.current {
            case .memory:
                MemoryBarStore(
                    maxSessions: maxSessions,
                    maxBytes: maxBytes,
                    maxSessionsPerClient: maxSessionsPerClient
                )
            case .shared, .redis:
                SharedBarStore(
                    store: self.shared ?? Self.shared(clock),
                    maxSessionsPerClient: maxSessionsPerClient,
                    copyBytes: 1 << 20,
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                    now: { clock.now },
                    pause: { _ in await Task.yield() }
                )
            }
        sessions = BarSessions(
            store: store ?? kindsStore,
            ttlSeconds: 900,
            now: { clock.now },
            makeID: { ids.withLock { BarID(using: &$0) } }
        )
        let access: [any Middleware] = tokens.isEmpty ? [] : [BearerTokens(tokens: tokens, prefixes: ["/v1/"])]
        let numbers = UniqueNumbers()
        application = Application(
            router: Router(routes: BarHandlers(sessions).routes),
            middleware: access + [ResponseBudget(), ConditionalRequests()],
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            makeRequestID: { numbers.nextID() },
            problem: { error in
                switch error {
                case let error as JSONError: Problem(json: error)
                case let error as BarSessionError: Problem(error)
                case is StoredBytesError: Problem(BarSessionError.unavailable)
                default: nil
                }
            }
        )
    }

    /// The shared store of the present kind.
    private static func shared(_ clock: TestClock) -> any CountingStore {
        if let redis = RealRedis.current { return RedisPart(redis.store, clock) }
        return FakeStore { clock.now }
    }

    /// Posts JSON; `peer` is the address of the client.
    func post(_ path: String, _ body: String, _ fields: [(FieldName, String)] = [], peer: String? = nil) -> Answer {
        send(.post, path, body, fields, peer: peer)
    }

    func get(_ path: String, _ fields: [(FieldName, String)] = []) -> Answer {
        send(.get, path, "", fields)
    }

    func head(_ path: String) -> Answer {
        send(.head, path, "", [])
    }

    func put(_ path: String, _ body: String, _ fields: [(FieldName, String)] = []) -> Answer {
        send(.put, path, body, fields)
    }

    func delete(_ path: String, _ fields: [(FieldName, String)] = []) -> Answer {
        send(.delete, path, "", fields)
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String,
        _ fields: [(FieldName, String)],
        peer: String? = nil
    ) -> Answer {
        var all = Fields()
        if !body.isEmpty { all.append(.contentType, "application/json") }
        for (name, value) in fields { all.append(name, value) }
        let request = Request(method: method, target: Target(path), fields: all, content: Array(body.utf8), from: peer)
        switch application.respond(to: request) {
        case .now(let response): return Answer(response)
        case let promised:
            if sessions.store is MemoryBarStore {
                Issue.record("an operation on a bar of the memory store is answered at once")
            }
            let response = try? waiting { try await promised.value() }
            return Answer(response ?? Response(status: .internalServerError))
        }
    }

    /// Ends the bars that have expired, and their streams.
    func expire() {
        sessions.expire()
        refresh()
    }

    /// Makes a shared store do its work of each second.
    private func refresh() {
        guard let store = sessions.store as? SharedBarStore else { return }
        do {
            try waiting {
                await store.watches.readDueBars()
                await store.shares.resend()
            }
        } catch {
            Issue.record(error)
        }
    }

    /// The number of bars.
    var sessionCount: Int {
        sessions.store.statistics?.sessions ?? shared?.barCount ?? 0
    }

    /// The number and the size of the bars; a shared store knows no sizes.
    var statistics: BarStatistics {
        sessions.store.statistics ?? BarStatistics(sessions: sessionCount, maxSessions: 0, bytes: 0, maxBytes: 0)
    }

    /// Creates a bar; returns its path.
    func bar(_ body: String = Bodies.create()) throws -> String {
        let answer = post("/v1/bars", body)
        try #require(answer.status == 201, "\(answer.text)")
        return try #require(answer.fields[.location])
    }
}

extension BarSessions {
    /// Ends the expired bars of a store in memory, and their streams.
    func expire() {
        (store as? MemoryBarStore)?.expire(now: now())
    }
}

extension BarHandlers {
    /// The routes of bars, as in the table of the service.
    fileprivate var routes: [Route] {
        [
            .post("/v1/bars", create),
            .post("/v1/bars/apply", query: .read, apply),
            .get("/v1/bars/{id}", query: .read, read),
            .delete("/v1/bars/{id}", delete),
            .get("/v1/bars/{id}/events", query: .read, log),
            .post("/v1/bars/{id}/events", query: .read, post),
            .get("/v1/bars/{id}/states", query: .read, state),
            .get("/v1/bars/{id}/stream", access: .open, query: .read, produces: [.eventStream], stream),
            .put("/v1/bars/{id}/tracks", setTracks),
            .post("/v1/bars/{id}/fork", fork),
        ]
    }
}

extension Promised {
    /// The value, for which the calling thread waits.
    var waited: Value {
        get throws {
            switch self {
            case .now(let value): value
            case let promised: try waiting { try await promised.value() }
            }
        }
    }
}

/// A shared store that can count its bars for a test.
protocol CountingStore: SharedStore {
    var barCount: Int { get }
}

extension FakeStore: CountingStore {
    var barCount: Int { keys.count { $0.hasPrefix("b:") } }
}

/// An answer.
struct Answer {
    let response: Response

    init(_ response: Response) {
        self.response = response
    }

    var status: Int { response.status.code }
    var fields: Fields { response.fields }

    var bytes: [UInt8] {
        if case .bytes(let bytes) = response.content { bytes } else { [] }
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The content without the id of the request, which differs for each problem.
    var textWithoutInstance: String {
        guard let instance = string("/instance") else { return text }
        return text.replacing(instance, with: "")
    }

    /// Returns the value at a JSON Pointer; nil if there is none.
    func value(_ pointer: String) -> JSONValue? {
        guard var value = try? JSON.parse(bytes) else { return nil }
        for part in pointer.split(separator: "/") {
            if let index = Int(part), let array = try? value.array() {
                guard index < array.count else { return nil }
                value = array[index]
            } else {
                guard let member = try? value.object().first(where: { $0.name == part }) else { return nil }
                value = member.value
            }
        }
        return value
    }

    func number(_ pointer: String) -> Double? { try? value(pointer)?.double() }
    func string(_ pointer: String) -> String? { try? value(pointer)?.string() }
    func bool(_ pointer: String) -> Bool? { try? value(pointer)?.bool() }
    func count(_ pointer: String) -> Int? { try? value(pointer)?.array().count }

    /// The code of a problem.
    var code: String? { string("/type").map { String($0.dropFirst("/problems/".count)) } }

    /// The JSON Pointer of a problem's first fault.
    var pointer: String? { string("/errors/0/pointer") }
}

extension Answer {
    /// Returns the open stream of an answer.
    func stream() throws -> any ContentStream {
        #expect(status == 200)
        guard case .stream(let stream) = response.content else { throw Fault() }
        return stream
    }

    private struct Fault: Error {}
}

extension ContentStream {
    /// Reads the text that is there now; nil at the end of the stream.
    func text() -> String? {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            switch read(into: buffer, wake: {}) {
            case .copied(let count): bytes += buffer[..<count]
            case .pending: return String(decoding: bytes, as: UTF8.self)
            case .finished, .failed, .reset: return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
            }
        }
    }
}

/// Contents of requests.
enum Bodies {
    static let configuration =
        #""configuration":{"compactStateHeight":100,"normalStateHeight":200,"expandedStateHeight":300}"#

    static func scrollable(_ id: String = "feed", y: Double = 500) -> String {
        """
        {"id":"\(id)","contentOffset":{"x":0,"y":\(y)},"contentSize":{"width":375,"height":4800},\
        "frame":{"x":0,"y":0,"width":375,"height":667}}
        """
    }

    /// Returns the content of a creation, with the content offset `y` and more members.
    static func create(y: Double = 500, _ more: String = "") -> String {
        "{\(configuration),\"scrollable\":\(scrollable(y: y))\(more.isEmpty ? "" : "," + more)}"
    }

    static func offset(_ y: Double, sequence: Int? = nil, _ more: String = "") -> String {
        let number = sequence.map { ",\"sequence\":\($0)" } ?? ""
        return "{\"type\":\"contentOffset\",\"contentOffset\":{\"x\":0,\"y\":\(y)}\(number)\(more)}"
    }

    static func batch(_ events: [String]) -> String {
        "{\"events\":[\(events.joined(separator: ","))]}"
    }
}

/// A value that several tasks change; a task cannot capture a lock, but an object that holds one.
final class Shared<Value: Sendable>: Sendable {
    private let value: Lock<Value>

    init(_ value: Value) {
        self.value = Lock(value)
    }

    var current: Value { value.withLock { $0 } }

    func change(_ body: @Sendable (inout Value) -> Void) {
        value.withLock { body(&$0) }
    }
}

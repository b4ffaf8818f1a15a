import Foundation
import TestSupport
import Testing

@testable import SpringbarClient

/// The token of a connection, and the requests that share an answer.
@Suite("The connection to a service")
struct ConnectionTests {
    private static let request = ServiceRequest(method: "GET", path: "/v1/a")

    /// As in the JavaScript client: a request without a token has none that was refused.
    @Test(
        "A refused token is asked for once a request, and the second refusal is unauthorized",
        arguments: [
            (["old", "good"], nil, ["-", "old", "good"], "answered"), (["good"], "old", ["old", "good"], "answered"),
            (["bad 1", "bad 2", "good"], nil, ["-", "bad 1", "bad 2"], "unauthorized"),
            (["bad", "good"], "old", ["old", "bad"], "unauthorized"),
            ([], "old", ["old"], "unauthorized"),
        ] as [([String], String?, [String], String)]
    )
    func authorize(tokens: [String], first: String?, sent: [String], outcome: String) async throws {
        let service = LockedService()
        let supply = Tokens(tokens)
        let connection = Connection(base: "", transport: service, token: first) { await supply.next() }
        #expect(await outcomeOfGet(connection) == outcome)
        #expect(await service.tokens.map { $0 ?? "-" } == sent)
    }

    @Test("Requests that wait for a token share one call")
    func oneCall() async {
        let service = LockedService()
        let supply = Tokens(["good", "other"])
        let connection = Connection(base: "", transport: service, token: "bad") { await supply.next() }
        await withTaskGroup { group in
            for index in 0..<8 {
                group.addTask {
                    let response = try? await connection.send(ServiceRequest(method: "GET", path: "/v1/\(index)"))
                    #expect(response?.status == 200)
                }
            }
        }
        #expect(await supply.left == ["other"])
    }

    @Test("An error of `authorize` is the problem of the requests that wait for it")
    func failingAuthorize() async throws {
        struct Declined: Error {}
        let connection = Connection(base: "", transport: LockedService(), token: "bad") { throw Declined() }
        let problem = await #expect(throws: Problem.self) { try await connection.get(ConnectionTests.request) }
        #expect(problem?.code == "unauthorized" && problem?.status == 401 && problem?.isTransient == false)
        #expect(problem?.detail.contains("Declined") == true)
        // The token is kept: the service may accept it later.
        await #expect(throws: Problem.self) { try await connection.get(ConnectionTests.request) }
    }

    @Test("Two views that wait for one picture make one request, and one of them may leave", .timeLimit(.minutes(1)))
    func joined() async throws {
        let service = HeldService()
        let connection = Connection(base: "", transport: service)
        let views = (0..<2).map { _ in Task { try await connection.get(ConnectionTests.request) } }
        while await connection.waiting < 2 { await Task.yield() }
        views[0].cancel()
        let problem = await #expect(throws: Problem.self) { try await views[0].value }
        #expect(problem?.code == "cancelled")
        service.gate.open()
        #expect(try await views[1].value.content == [1])
        #expect(service.gate.starts == 1)
    }

    @Test(
        "A request that all views have left is cancelled, and a later view makes another one",
        .timeLimit(.minutes(1))
    )
    func allLeft() async throws {
        let service = HeldService()
        let connection = Connection(base: "", transport: service)
        let views = (0..<2).map { _ in Task { try await connection.get(ConnectionTests.request) } }
        while await connection.waiting < 2 { await Task.yield() }
        for view in views {
            view.cancel()
            await #expect(throws: Problem.self) { try await view.value }
        }
        #expect(await connection.isIdle)
        service.gate.open()
        #expect(try await connection.get(ConnectionTests.request).content == [1])
        try await waitUntil { service.gate.cancellations > 0 }
        #expect(service.gate.starts == 2)
    }

    @Test("A request may be changed on its way by a transport of the app")
    func decorated() async throws {
        let service = ScriptedTransport([.response([:], "{}")])
        let connection = Connection(base: "", transport: MarkedTransport(inner: service))
        _ = try await connection.get(ConnectionTests.request)
        let sent = try #require(await service.requests.first)
        #expect(sent.fields["X-Mark"] == "GET /v1/a" && sent.fields["X-Client"] != nil)
    }

    private func outcomeOfGet(_ connection: Connection) async -> String {
        do throws(Problem) {
            _ = try await connection.get(ConnectionTests.request)
            return "answered"
        } catch {
            return error.code
        }
    }
}

/// A service that accepts the token `good`.
private actor LockedService: Transport {
    private(set) var tokens: [String?] = []

    func send(_ request: ServiceRequest, base: String) async throws(Problem) -> ServiceResponse {
        let token = request.fields["Authorization"]?.replacingOccurrences(of: "Bearer ", with: "")
        tokens.append(token)
        if token == "good" { return .response([:], "{}") }
        return .response([:], #"{"type":"/problems/unauthorized"}"#, status: 401)
    }
}

private actor Tokens {
    private(set) var left: [String]

    init(_ tokens: [String]) {
        left = tokens
    }

    func next() -> String? { left.isEmpty ? nil : left.removeFirst() }
}

private struct MarkedTransport: Transport {
    let inner: any Transport

    func send(_ request: ServiceRequest, base: String) async throws(Problem) -> ServiceResponse {
        var request = request
        request.fields["X-Mark"] = "\(request.method) \(request.path)"
        return try await inner.send(request, base: base)
    }
}

extension Connection {
    /// The tasks that wait for the only request.
    fileprivate var waiting: Int { loads.first?.value.waiting ?? 0 }
    fileprivate var isIdle: Bool { loads.isEmpty }
}

private struct HeldService: Transport {
    let gate = Gate()

    func send(_ request: ServiceRequest, base: String) async throws(Problem) -> ServiceResponse {
        do { try await gate.pass() } catch { throw .cancelled }
        return ServiceResponse(status: 200, content: [1])
    }
}

import HTTPExchange
import HTTPTypes
import Logging
import MicroHTTPServer
import TestSupport

/// A responder that calls a closure; the content of a refusal is the name of its reason.
struct ClosureResponder: Responder {
    let answer: @Sendable (Request) -> Reply
    /// The path of the one operation.
    static let operation = "/operation"
    /// The memory of the request that is being answered.
    @TaskLocal static var memory: RequestMemory?

    func respond(to request: Request, memory: RequestMemory) -> Reply {
        @Sendable func settled(_ response: Response) -> Response {
            let isOperation = isOperation(request)
            if memory.reserveUntilSent(request.method == .head ? .none : response.content, isOperation: isOperation) {
                return response
            }
            response.content.release()
            return self.response(to: .overloaded, of: request, memory: nil)
        }
        return Self.$memory.withValue(memory) { answer(request).map { settled($0) } }
    }

    func isOperation(_ request: Request) -> Bool { request.target.path == Self.operation }

    func response(to refusal: Refusal, of request: Request, memory: RequestMemory?) -> Response {
        let status: HTTPResponse.Status =
            switch refusal {
            case .contentTooLarge: .contentTooLarge
            case .targetTooLong: .uriTooLong
            case .headTooLarge, .responseHeadTooLarge: .requestHeaderFieldsTooLarge
            case .deadlineExceeded: .gatewayTimeout
            case .draining, .overloaded, .reserved: .serviceUnavailable
            default: .badRequest
            }
        return .text(String("\(refusal)".prefix { $0 != "(" }), status: status)
    }
}

extension Reply {
    /// A response that comes only if its task is cancelled; the gate counts the tasks and the cancellations.
    static func hanging(at gate: Gate) -> Reply {
        .later {
            _ = try? await gate.pass()
            return .text("too late")
        }
    }
}

/// A running server with its address, for one test.
struct ServerFixture: Sendable {
    let server: Server
    let address: BoundAddress

    var statistics: Server.Statistics { server.statistics }

    func connect(from source: String? = nil, receiveBuffer: Int32? = nil) throws -> RawConnection {
        try RawConnection(host: address.host, port: address.port, from: source, receiveBuffer: receiveBuffer)
    }

    /// Sends a request on a new connection, and reads the head of its response.
    func open() throws -> RawConnection {
        let connection = try connect()
        try connection.send(get())
        _ = try connection.read(through: "\r\n\r\n")
        return connection
    }
}

/// Starts a server on a free port, runs `body` on a thread that it may block, and always drains the server.
func withServer(
    logger: Logger = .silent,
    configure: (inout Server.Configuration) -> Void = { _ in },
    answer: @escaping @Sendable (Request) -> Reply = { _ in .now(.text("hello")) },
    _ body: @Sendable (ServerFixture) async throws -> Void
) async throws {
    var configuration = Server.Configuration(host: "127.0.0.1", port: 0)
    configuration.threads = 2
    configuration.drainDeadline = .milliseconds(200)
    configure(&configuration)
    let server = Server(
        configuration: configuration,
        responder: ClosureResponder(answer: answer),
        logger: logger
    )
    let address = try server.start()
    do {
        try await blocking { try await body(ServerFixture(server: server, address: address)) }
    } catch {
        await server.drain()
        throw error
    }
    await server.drain()
}

/// A request without content.
func get(_ target: String = "/", _ fields: String = "") -> String {
    "GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
}

/// A request with content and its length.
func post(_ content: String, _ fields: String = "") -> String {
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(content.utf8.count)\r\n\(fields)\r\n\(content)"
}

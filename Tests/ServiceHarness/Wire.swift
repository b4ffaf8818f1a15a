import Foundation
import HTTPExchange
import HTTPTypes
import Logging
import MicroHTTPServer
import Network
import Primitives
import Synchronization
import TestSupport

/// A server of the service on a free port, and nginx in front of it on the engine of that name.
final class Wire: Sendable {
    private let server: Server
    private let nginx: NginxProcess?
    private let port: Int
    /// The clients of the requests so far.
    private let clients = Lock<[String]>([])

    init(_ application: Application) throws {
        var configuration = Server.Configuration(host: "127.0.0.1", port: 0)
        configuration.threads = 1
        configuration.drainDeadline = .milliseconds(200)
        // A test names the address of its client as a proxy does.
        configuration.proxies = TrustedProxies([CIDR("127.0.0.1")].compactMap(\.self))
        server = Server(configuration: configuration, responder: application, logger: .silent)
        let address = try server.start()
        nginx = Engine.current == .nginx ? try NginxProcess(before: address.port) : nil
        port = nginx?.port ?? address.port
    }

    func stop() async {
        nginx?.kill()
        await server.drain()
    }

    /// Returns an address of this machine for a client, which is always the same.
    private func source(_ client: String) -> String {
        let number = clients.withLock { clients in
            if let number = clients.firstIndex(of: client) { return number }
            clients.append(client)
            return clients.count - 1
        }
        return "127.0.1.\(number + 1)"
    }

    /// Sends a request on a connection of its own, and reads the answer.
    func respond(to request: Request) throws -> Response {
        // The service believes what nginx forwards: the address of the connection.
        let connection = try RawConnection(port: port, from: nginx == nil ? nil : request.client.map(source))
        defer { connection.close() }
        var head = "\(request.method.rawValue) \(request.target.raw) HTTP/1.1\r\n"
        if request.fields[.host] == nil { head += "Host: localhost\r\n" }
        for entry in request.fields.entries { head += "\(entry.name.rawValue): \(entry.value)\r\n" }
        if nginx == nil, let peer = request.client { head += "X-Forwarded-For: \(peer)\r\n" }
        if !request.content.isEmpty { head += "Content-Length: \(request.content.count)\r\n" }
        try connection.send(Array((head + "\r\n").utf8) + request.content)
        let answer = try connection.readResponse(toHead: request.method == .head)
        var fields = Fields()
        for (name, value) in answer.fields { FieldName(name).map { fields.append($0, value) } }
        return Response(
            status: HTTPResponse.Status(code: answer.status),
            fields: fields,
            content: answer.content.isEmpty ? .none : .bytes(answer.content)
        )
    }
}

/// The wires of a test, which stop at its end.
final class Wires: Sendable {
    @TaskLocal static var current: Wires?

    private let wires = Lock<[Wire]>([])

    /// Starts a server of an application.
    func open(_ application: Application) throws -> Wire {
        let wire = try Wire(application)
        wires.withLock { $0.append(wire) }
        return wire
    }

    func stop() async {
        for wire in wires.withLock({ $0 }) { await wire.stop() }
    }
}

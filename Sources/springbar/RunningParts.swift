import MicroHTTPServer
import ServiceLifecycle
import SpringbarService

/// A server that has been started: it drains when the group shuts down.
struct ServerRun: Service {
    let server: Server

    func run() async throws {
        try? await gracefulShutdown()
        await server.drain()
    }
}

/// Writes what is logged, until the end of the group.
struct LogWriting: Service {
    let output: LogOutput

    func run() async throws {
        await cancelWhenGracefulShutdown { await output.run() }
    }
}

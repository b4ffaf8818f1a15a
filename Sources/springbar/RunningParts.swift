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

/// The photo part: its fetches end before the client that makes them.
struct PhotoFetching: Service {
    let photos: PhotoService

    func run() async throws {
        try? await gracefulShutdown()
        await photos.stop()
    }
}

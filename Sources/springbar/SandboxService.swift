import Sandbox
import ServiceLifecycle

/// A sandbox library that has been started, as a part of a service group: it stops with the group.
struct SandboxService: Service {
    let sandbox: SandboxLibrary

    func run() async throws {
        try? await gracefulShutdown()
        await sandbox.stop()
    }
}

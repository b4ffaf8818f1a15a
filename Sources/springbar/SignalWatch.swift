import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// SIGTERM or SIGINT begins the drain; another one ends the process at once.
///
/// ServiceGroup could begin the drain by itself, but it has no second step: a drain that somebody has lost patience
/// with must not need SIGKILL.
struct SignalWatch: Service {
    let beginDrain: @Sendable () async -> Void
    let logger: Logger

    func run() async throws {
        var isDraining = false
        for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
            if isDraining { _exit(128 + signal.rawValue) }
            isDraining = true
            logger.info("draining", metadata: ["signal": "\(signal)"])
            await beginDrain()
        }
    }
}

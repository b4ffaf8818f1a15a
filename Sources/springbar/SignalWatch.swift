import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// SIGTERM or SIGINT ends this part, and with it begins the drain; another one ends the process at once.
///
/// ServiceGroup could begin the drain by itself, but it has no second step: a drain that somebody has lost patience
/// with must not need SIGKILL.
struct SignalWatch: Service {
    let logger: Logger

    func run() async throws {
        for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
            logger.notice("draining", metadata: ["signal": "\(signal)"])
            SignalWatch.endAtNextSignal()
            return
        }
    }

    /// Hands the next signal to a handler that needs no task: a drain may keep all of them busy.
    private static func endAtNextSignal() {
        for number in [SIGTERM, SIGINT] {
            // async-signal-safe (signal-safety(7)): _exit and nothing else; 128 + the signal, as shells say it.
            signal(number) { _exit(128 + $0) }
        }
    }
}

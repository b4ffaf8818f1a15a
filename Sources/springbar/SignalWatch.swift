import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// SIGTERM or SIGINT begins the drain of a group; another one ends the process at once.
///
/// ServiceGroup could begin the drain by itself, but it has no second step: a drain that somebody has lost patience
/// with must not need SIGKILL. The signals are trapped before anybody is told that the service listens, so that none
/// falls into the gap.
struct SignalWatch {
    private let signals: UnixSignalsSequence

    init() async {
        signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    }

    /// Runs the group to its end.
    func run(_ group: ServiceGroup, logger: Logger) async throws {
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask { await endOrDrain(group, logger) }
            // The watch ends only when it is cancelled, so the first end is the group's.
            try await tasks.next()
            tasks.cancelAll()
        }
    }

    private func endOrDrain(_ group: ServiceGroup, _ logger: Logger) async {
        var isDraining = false
        for await signal in signals {
            // As shells say it: 128 and the number of the signal.
            if isDraining { _exit(128 + signal.rawValue) }
            isDraining = true
            logger.notice("draining", metadata: ["signal": "\(signal)"])
            await group.triggerGracefulShutdown()
        }
    }
}

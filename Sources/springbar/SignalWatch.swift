import Glibc
import Logging
import ServiceLifecycle
import UnixSignals

/// Begins the drain of a service group on SIGTERM or SIGINT; a second signal ends the process at once.
///
/// ServiceGroup can begin a drain too, but has no second step: without it a slow drain could only be ended by SIGKILL.
/// The signals are trapped before the service reports that it listens, so that an early signal drains too.
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
            // The watch ends only when it is cancelled, so the first task to end is the group's.
            try await tasks.next()
            tasks.cancelAll()
        }
    }

    private func endOrDrain(_ group: ServiceGroup, _ logger: Logger) async {
        var isDraining = false
        for await signal in signals {
            // The convention of shells: 128 plus the number of the signal.
            if isDraining { _exit(128 + signal.rawValue) }
            isDraining = true
            logger.notice("draining", metadata: ["signal": "\(signal)"])
            await group.triggerGracefulShutdown()
        }
    }
}

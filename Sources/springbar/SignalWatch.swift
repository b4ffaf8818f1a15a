import Dispatch
import Glibc
import Logging

/// A part of the running service beside the answers to requests.
struct ServicePart: Sendable {
    /// Works until the drain, which cancels it.
    var work: @Sendable () async -> Void = {}
    /// Ends what the part has opened, after its work and after the parts that follow it.
    var end: @Sendable () async -> Void = {}
}

/// Waits for SIGTERM or SIGINT from its creation on; a second signal ends the process at once.
///
/// It is created before anything waits: the first process of a container ignores signals that it does not watch. A drain needs
/// threads of Swift's pool; if all of them compute, the queue of the signals ends the process.
struct SignalWatch {
    /// The first signal.
    private let first: AsyncStream<Int32>
    /// Ends with the first signal, for one reader.
    let untilFirst: AsyncStream<Never>
    /// Each SIGHUP; without `reloads` that signal ends the process.
    let hangUps: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    /// The longest drain: that of the server takes at most 4.5 seconds, the last lines of the log one.
    private static let longestDrain = DispatchTimeInterval.seconds(6)

    init(reloads: Bool = false) async {
        let (first, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.first = first
        let (untilFirst, endOfStart) = AsyncStream.makeStream(of: Never.self)
        self.untilFirst = untilFirst
        let queue = DispatchQueue(label: "signals")
        let (hangUps, reload) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.hangUps = hangUps
        let signals = [SIGTERM, SIGINT] + (reloads ? [SIGHUP] : [])
        sources = signals.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        for (source, signal) in zip(sources, signals) {
            source.setEventHandler {
                if signal == SIGHUP {
                    _ = reload.yield()
                    return
                }
                // The convention of shells: 128 plus the number of the signal.
                if case .terminated = continuation.yield(signal) { _exit(128 + signal) }
                continuation.finish()
                endOfStart.finish()
                queue.asyncAfter(deadline: .now() + Self.longestDrain) { _exit(128 + signal) }
            }
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.activate()
            }
        }
    }

    /// Runs the parts until the first signal, and then ends them in reverse order.
    func run(_ parts: [ServicePart], logger: Logger) async {
        let running = parts.map { part in (work: Task { await part.work() }, end: part.end) }
        for await signal in first {
            logger.notice("draining", metadata: ["signal": signal == SIGTERM ? "SIGTERM" : "SIGINT"])
        }
        for part in running.reversed() {
            part.work.cancel()
            await part.work.value
            await part.end()
        }
    }
}

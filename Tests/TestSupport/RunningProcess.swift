package import Foundation
import Synchronization

/// A child process whose output gathers in memory.
package final class RunningProcess: Sendable {
    private struct State {
        var output = Data()
        var status: Int32?
        var openPipes = 2
    }

    private let process = Process()
    private let state = Mutex(State())
    /// Signalled whenever the state changes.
    private let changed = NSCondition()

    package init(_ executable: URL, _ arguments: [String], environment: [String: String]) throws {
        process.executableURL = executable
        process.arguments = arguments
        let inherited = ProcessInfo.processInfo.environment.filter {
            ["PATH", "HOME", "LD_LIBRARY_PATH"].contains($0.key)
        }
        process.environment = inherited.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        for stream in [\Process.standardOutput, \Process.standardError] {
            let pipe = Pipe()
            process[keyPath: stream] = pipe
            pipe.fileHandleForReading.readabilityHandler = { [weak self] handle in
                let data = handle.availableData
                if data.isEmpty { handle.readabilityHandler = nil }
                self?.change { state in
                    state.output.append(data)
                    if data.isEmpty { state.openPipes -= 1 }
                }
            }
        }
        process.terminationHandler = { [weak self] process in
            let isSignal = process.terminationReason == .uncaughtSignal
            self?.change { $0.status = isSignal ? -process.terminationStatus : process.terminationStatus }
        }
        try process.run()
    }

    package var identifier: Int32 { process.processIdentifier }

    package var output: String {
        state.withLock { String(decoding: $0.output, as: UTF8.self) }
    }

    package func send(signal: Int32) {
        Foundation.kill(identifier, signal)
    }

    /// Ends it at once, if it still runs.
    package func kill() {
        if state.withLock({ $0.status == nil }) { send(signal: SIGKILL) }
    }

    package func waitForEnd(within limit: Duration) -> Int32? {
        wait(within: limit) { state in state.openPipes == 0 ? state.status : nil }
    }

    package func waitForLine(within limit: Duration, _ condition: (String) -> Bool) -> String? {
        var seen = 0
        return wait(within: limit) { state in
            // Only whole lines, and each one once.
            let fresh = state.output.dropFirst(seen)
            guard let end = fresh.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
            seen = end + 1 - state.output.startIndex
            return String(decoding: fresh[...end], as: UTF8.self).split(separator: "\n").map(String.init).first(
                where: condition
            )
        }
    }

    private func change(_ body: (inout sending State) -> Void) {
        state.withLock { body(&$0) }
        changed.lock()
        changed.broadcast()
        changed.unlock()
    }

    private func wait<Result>(within limit: Duration, _ find: (State) -> Result?) -> Result? {
        let (seconds, attoseconds) = limit.components
        let end = Date(timeIntervalSinceNow: Double(seconds) + Double(attoseconds) * 1e-18)
        changed.lock()
        defer { changed.unlock() }
        while true {
            let current = state.withLock { $0 }
            if let result = find(current) { return result }
            if !changed.wait(until: end) { return nil }
        }
    }
}

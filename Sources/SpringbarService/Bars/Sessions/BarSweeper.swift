import ServiceLifecycle

/// Ends bars whose time is over, once a second: a turn of the timer wheels, whose cost is what is due.
package struct BarSweeper: Service {
    private let sessions: BarSessions

    package init(_ sessions: BarSessions) {
        self.sessions = sessions
    }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .milliseconds(TimerWheel.tick))
                sessions.expire()
            }
        }
    }
}

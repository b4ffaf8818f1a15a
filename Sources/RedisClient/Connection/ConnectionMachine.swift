import Primitives

/// The states of a connection to Redis, and the decisions between them.
///
/// It does no I/O and reads no clock: its owner reports events and performs the returned action. A lost connection is
/// opened again at once, then after waits that double up to 0.8 s, each shortened by a random part. The name is looked
/// up each time, because a failover changes its address.
struct ConnectionMachine {
    /// The time-out of each step: look-up of the name, connection of the socket, first commands with the TLS handshake.
    private static let stepTime = Duration.seconds(1)
    /// The time after which an idle connection is checked with PING.
    private static let idleTime = Duration.seconds(5)
    private static let firstWait = Duration.milliseconds(50)
    /// Below a second, so that the service works again within a second of the server.
    private static let longestWait = Duration.milliseconds(800)
    /// A connection that was usable for this long counts as good; a shorter one does not reset the waits.
    private static let goodTime = Duration.seconds(1)

    enum Phase: Equatable {
        case waiting(until: Instant)
        case resolving(until: Instant)
        /// Tries one address after the other.
        case connecting(address: Int, of: Int, until: Instant)
        /// The first commands, such as AUTH, are sent; with TLS, OpenSSL makes the handshake before them.
        case greeting(until: Instant)
        case ready(since: Instant)
    }

    enum Event: Equatable {
        /// A deadline may have passed; the time is that at which the oldest command without a reply was sent.
        case time(owedSince: Instant?)
        case resolved(Int)
        case connected
        case greeted
        case received
        case failed(ConnectionFailure)
    }

    enum Action: Equatable {
        case none
        case resolve
        case connect(address: Int)
        case greet
        case open
        case ping
        /// Closes the connection, even if it is not complete; commands that wait for replies fail.
        case close(ConnectionFailure)
    }

    private(set) var phase: Phase
    private let timeout: Duration
    private let jitter: () -> Double
    /// The attempts since the last good connection.
    private var attempts = 0
    private var lastReceived: Instant

    /// Starts with an attempt at once; `jitter` makes the random part of a wait, from 0 to 1.
    init(timeout: Duration, now: Instant, jitter: @escaping () -> Double) {
        self.timeout = timeout
        self.jitter = jitter
        phase = .waiting(until: now)
        lastReceived = now
    }

    /// The time of the next `Event.time`.
    func deadline(owedSince: Instant?) -> Instant {
        switch phase {
        case .waiting(let until), .resolving(let until), .connecting(_, _, let until), .greeting(let until): until
        case .ready: owedSince.map { $0 + timeout } ?? lastReceived + Self.idleTime
        }
    }

    /// Handles an event and returns the action.
    mutating func on(_ event: Event, now: Instant) -> Action {
        switch (phase, event) {
        case (.waiting(let until), .time) where until <= now:
            phase = .resolving(until: now + Self.stepTime)
            return .resolve
        case (.waiting, _): return .none
        case (.resolving, .resolved(0)): return retry(.unresolved, now: now)
        case (.resolving, .resolved(let count)): return connect(0, of: count, now: now)
        case (.connecting, .connected):
            phase = .greeting(until: now + Self.stepTime)
            return .greet
        case (.greeting, .greeted):
            phase = .ready(since: now)
            lastReceived = now
            return .open
        case (.ready, .received):
            lastReceived = now
            return .none
        case (.ready, .time(let owedSince)):
            if let owedSince { return owedSince + timeout <= now ? retry(.silent, now: now) : .none }
            return lastReceived + Self.idleTime <= now ? .ping : .none
        case (.connecting(let address, let count, _), .failed(let failure)):
            return address + 1 < count ? connect(address + 1, of: count, now: now) : retry(failure, now: now)
        case (.resolving(let until), .time), (.connecting(_, _, let until), .time), (.greeting(let until), .time):
            return until <= now ? on(.failed(.connectTimedOut), now: now) : .none
        case (_, .failed(let failure)): return retry(failure, now: now)
        default: return .none
        }
    }

    private mutating func connect(_ address: Int, of count: Int, now: Instant) -> Action {
        phase = .connecting(address: address, of: count, until: now + Self.stepTime)
        return .connect(address: address)
    }

    private mutating func retry(_ failure: ConnectionFailure, now: Instant) -> Action {
        if case .ready(let since) = phase, since + Self.goodTime <= now { attempts = 0 }
        phase = .waiting(until: now + wait())
        attempts += 1
        return .close(failure)
    }

    /// The wait before the next attempt: none before the first, then one that doubles.
    private func wait() -> Duration {
        guard attempts > 0 else { return .zero }
        let doublings = min(attempts - 1, 10)
        let longest = min(Self.firstWait * (1 << doublings), Self.longestWait)
        // The random part is at most half of the wait, so that attempts do not follow each other too quickly.
        return longest * (1 - min(max(jitter(), 0), 1) / 2)
    }
}

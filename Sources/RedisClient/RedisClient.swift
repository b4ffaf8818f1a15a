package import Logging
import Primitives
import Synchronization

/// A client of one Redis server, or of a cluster: of each server one pipelined connection for commands and one for
/// subscriptions.
///
/// Callers put commands into an inbox and wake the thread of the client. All else happens on that thread, in
/// `ClientLoop`. Without a usable connection a command is refused at once, so no caller waits for an unavailable
/// server.
package final class RedisClient: Sendable {
    package typealias Completion = @Sendable (Result<RedisReply, RedisError>) -> Void

    private let inbox: ClientInbox
    private let loop: EventLoop

    /// Starts to connect.
    ///
    /// The client calls `opened` whenever the connection for commands becomes usable, `received` with each event of a
    /// subscription, and `replied` with the time from each command to its reply. They run on its thread and must return
    /// quickly.
    ///
    /// - Throws: `.tls` if the authorities cannot be used.
    package init(
        _ configuration: RedisConfiguration,
        logger: Logger,
        opened: @escaping @Sendable (ServerFacts) -> Void = { _ in },
        received: @escaping @Sendable (RedisMessage) -> Void = { _ in },
        replied: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws(ConnectionFailure) {
        let tls = configuration.urls[0].isEncrypted ? try TLSContext(authorities: configuration.authorities) : nil
        guard let loop = EventLoop() else { throw .unreachable("no descriptor left") }
        let inbox = ClientInbox(configuration, loop: loop)
        self.inbox = inbox
        let hooks = RedisHooks(opened: opened, received: received, replied: replied)
        self.loop = loop
        let isStarted = loop.start(named: "redis") {
            ClientLoop(configuration, tls: tls, inbox: inbox, loop: loop, hooks: hooks, logger: logger).run()
        }
        guard isStarted else { throw .unreachable("no thread left") }
    }

    deinit {
        // The thread owns everything that it uses.
        inbox.stop()
    }

    /// The state of the connection for commands.
    package var status: RedisStatus { inbox.status }

    /// Waits until the connection is usable; returns a failure that only a change of a setting can end.
    ///
    /// It waits for an unavailable server until the caller's task is cancelled.
    package func waitUntilReady() async -> ConnectionFailure? {
        let result = PendingResult<ConnectionFailure?>()
        inbox.whenStarted { result.deliver($0) }
        return await result.value(cancelled: .stopped)
    }

    /// Sends a command; `completion` is called once, on the client's thread or before this function returns.
    package func submit(_ command: RedisCommand, _ completion: @escaping Completion) {
        let job = CommandQueue.Job(command, submitted: .now, completion: completion)
        if let error = inbox.add(job) { completion(.failure(error)) }
    }

    /// Sends a command and waits for its reply, which is not an error.
    package func send(_ command: RedisCommand) async throws(RedisError) -> RedisReply {
        let result = await withCheckedContinuation { continuation in
            submit(command) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Runs commands and returns the failure of one that the user may not run.
    package func missingPermission(for commands: [RedisCommand]) async -> ConnectionFailure? {
        for command in commands {
            do throws(RedisError) {
                _ = try await send(command)
            } catch {
                if case .refused(let fault) = error, fault.isDenied { return .permission(fault) }
            }
        }
        return nil
    }

    /// Subscribes to a channel until `unsubscribe`, over all reconnects.
    package func subscribe(_ channel: String) {
        inbox.add(SubscriptionTable.Change(channel: channel, isSubscribed: true))
    }

    package func unsubscribe(_ channel: String) {
        inbox.add(SubscriptionTable.Change(channel: channel, isSubscribed: false))
    }

    /// Ends both connections and the thread; the commands that wait fail with `connectionLost`.
    ///
    /// Blocks until the thread has ended. It must not be called on that thread.
    package func stop() {
        inbox.stop()
        loop.stop()
    }
}

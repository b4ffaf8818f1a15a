public import BarLayout
import Foundation

/// A session of one bar that does not wait for the network.
///
/// An event is applied immediately; the service's response confirms or corrects it. docs/clients.md has the guarantees.
@MainActor
public final class Bar {
    /// The bar after its creation, with the commands of the attachment.
    public let created: BarResult
    /// Requests one call at the next frame; events of one frame are sent together.
    ///
    /// The default waits for a sixtieth of a second. `BarFollower` uses the display link.
    public var requestFrame: @MainActor (@escaping @MainActor () -> Void) -> Void = Bar.wait

    private var machine: BarMachine
    private let connection: Connection
    private var backOff: BackOff
    private var observers: [Int: @MainActor (BarUpdate) -> Void] = [:]
    private var observerCount = 0
    /// The request or the pause in progress.
    private var work: Task<Void, Never>?

    init(_ definition: BarDefinition, id: String? = nil, connection: Connection) {
        machine = BarMachine(definition, id: id, seed: .random(in: 0...UInt64.max))
        backOff = BackOff(seed: .random(in: 0...UInt64.max))
        self.connection = connection
        created = BarResult(machine.prediction.shown, machine.prediction.created)
        // The frame that the app is in comes first.
        Task { [weak self] in self?.wake() }
    }

    deinit {
        work?.cancel()
    }

    /// The session's id; nil until the service has created it.
    public var id: String? { machine.id }

    /// The sequence number of the last confirmed event.
    public var lastSequence: Int { machine.queue.sequence }

    /// The number of confirmed events and changes of tracks, of all writers.
    public var revision: Int { machine.prediction.revision }

    /// The shown bar.
    public var current: BarResult { BarResult(machine.prediction.shown, commands: []) }

    /// The events that are not confirmed.
    public var pendingEvents: [BarEvent] { machine.queue.pending.map(\.event) }

    /// Whether everything is confirmed.
    public var isSettled: Bool { machine.isSettled }

    /// Applies an event, sends it with others of this frame, and returns the shown bar.
    ///
    /// - Throws: the problem of an event that the service would refuse. Nothing has changed then.
    @discardableResult
    public func send(_ event: BarEvent) throws(Problem) -> BarResult {
        let result = try machine.show(event, now: Connection.now)
        report(.changed(result))
        wake()
        return result
    }

    /// Sets or removes tracks immediately, and then at the service.
    ///
    /// - Throws: the problem of too many tracks. Nothing has changed then.
    public func setTracks(_ changes: [TrackChange]) throws(Problem) {
        try machine.setTracks(changes)
        report(.changed(current))
        wake()
    }

    /// Calls `body` with every update, on the main actor, until the returned observation ends.
    public func observe(_ body: @escaping @MainActor (BarUpdate) -> Void) -> BarObservation {
        observerCount += 1
        let number = observerCount
        observers[number] = body
        return BarObservation { [weak self] in self?.observers[number] = nil }
    }

    /// The updates from now on.
    public var updates: AsyncStream<BarUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: BarUpdate.self)
        let observation = observe { continuation.yield($0) }
        continuation.onTermination = { _ in Task { @MainActor in observation.end() } }
        return stream
    }

    /// Reads the changes of other writers, and returns when everything is confirmed.
    ///
    /// - Throws: the problem that stopped the session, or `CancellationError`.
    public func sync() async throws {
        perform(machine.sync())
        try await settled()
    }

    /// Watches the changes of other writers until the returned observation ends.
    public func follow() -> BarObservation {
        let task = Task { [weak self, connection] in
            var watch = BarWatch(connection)
            await watch.run {
                self?.id
            } hear: {
                self?.hear($0)
            }
        }
        return BarObservation { task.cancel() }
    }

    /// Returns when everything is confirmed.
    ///
    /// - Throws: the problem that stopped the session, or `CancellationError`.
    public func settled() async throws {
        let updates = updates
        guard machine.halted == nil, !machine.isSettled else {
            if let problem = machine.halted { throw problem }
            return
        }
        for await update in updates {
            guard case .settled = update else { continue }
            if let problem = machine.halted { throw problem }
            if machine.isSettled { return }
        }
        throw CancellationError()
    }

    /// Continues after a problem that stopped the session, or ends a pause; call it when the network is back.
    public func retry() {
        if case .pause = machine.phase { work?.cancel() }
        perform(machine.retry())
    }

    /// Ends the session here and at the service.
    ///
    /// - Throws: the problem of a deletion that failed; the service ends the session later by itself then.
    public func end() async throws(Problem) {
        work?.cancel()
        perform(machine.stop())
        guard let id = machine.id else { return }
        let request = ServiceRequest(method: "DELETE", path: "/v1/bars/" + ServiceRequest.encoded(id))
        let response = try await connection.send(request)
        if response.status != 404 { _ = try response.document() }
    }

    // MARK: Actions of the machine

    private func hear(_ revision: Int) {
        perform(machine.hear(revision: revision))
    }

    private func wake() {
        perform(machine.wake())
    }

    private func report(_ update: BarUpdate) {
        for number in observers.keys.sorted() { observers[number]?(update) }
    }

    private func perform(_ actions: [BarMachine.Action]) {
        for action in actions {
            switch action {
            case .request(let number, let request, let kind): send(request, kind, number)
            case .waitForFrame(let number):
                requestFrame { [weak self] in
                    guard let self else { return }
                    perform(machine.frame(number))
                }
            case .pause(let number, let attempt, let retryAfter):
                let seconds = backOff.pause(attempt: attempt, retryAfter: retryAfter)
                work = Task { [weak self] in
                    guard (try? await Connection.sleep(seconds)) != nil, let self else { return }
                    perform(machine.pauseEnded(number))
                }
            case .report(let update): report(update)
            }
        }
    }

    private func send(_ request: ServiceRequest, _ kind: BarRequest, _ number: Int) {
        work = Task { [weak self, connection] in
            let result: Result<BarReply, Problem>
            do throws(Problem) {
                result = .success(try kind.reply(try await connection.send(request)))
            } catch {
                result = .failure(error)
            }
            guard !Task.isCancelled, let self else { return }
            perform(machine.finish(number, result, now: Connection.now))
        }
    }

    private static func wait(_ body: @escaping @MainActor () -> Void) {
        Task {
            try? await Connection.sleep(1.0 / 60)
            body()
        }
    }
}

/// The observation of a bar, which ends when its last reference does.
@MainActor
public final class BarObservation {
    private var cancel: (@MainActor @Sendable () -> Void)?

    init(_ cancel: @escaping @MainActor @Sendable () -> Void) {
        self.cancel = cancel
    }

    deinit {
        guard let cancel else { return }
        Task { await cancel() }
    }

    /// Ends the observation.
    public func end() {
        cancel?()
        cancel = nil
    }
}

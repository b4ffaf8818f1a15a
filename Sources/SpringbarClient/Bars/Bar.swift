public import BarLayout
import Foundation

/// A session of one bar that does not wait for the network.
///
/// An event is applied immediately; the service's response confirms or corrects it. docs/clients.md has the guarantees.
/// A bar that is no longer referred to sends nothing, and its updates end; so does its session after its time to live.
@MainActor
public final class Bar {
    /// The bar after its creation, with the commands of the attachment.
    public let created: BarResult
    /// Requests one call at the next frame; events of one frame are sent together.
    ///
    /// The default waits for a sixtieth of a second. `BarFollower` uses the display link.
    public var requestFrame: @MainActor (@escaping @MainActor () -> Void) -> Void = Bar.wait

    /// The connection to the service.
    public private(set) var connection = BarConnection.connecting

    private var machine: BarMachine
    private let service: Connection
    private var observers: [Observer] = []
    /// The readers of `updates`, by numbers.
    private var streams: [Int: AsyncStream<BarUpdate>.Continuation] = [:]
    private var lastStream = 0
    /// The tasks that watch other writers.
    private var watches: [Task<Void, Never>] = []
    /// The request or the pause in progress.
    private var work: Task<Result<BarReply, Problem>, Never>?
    /// The last request that creates a session; it is not cancelled, because `end()` needs the id.
    private var creation: Task<Result<BarReply, Problem>, Never>?

    private struct Observer {
        weak var observation: BarObservation?
    }

    init(_ definition: BarDefinition, id: String? = nil, queueLimit: Int, connection: Connection) {
        machine = BarMachine(definition, id: id, queueLimit: queueLimit)
        service = connection
        created = machine.prediction.result(machine.prediction.created)
        // The frame that the app is in comes first.
        Task { [weak self] in self?.wake() }
    }

    deinit {
        work?.cancel()
        for watch in watches { watch.cancel() }
        for stream in streams.values { stream.finish() }
    }

    /// The session's id; nil until the service has created it.
    public var id: String? { machine.id }
    /// The shown bar.
    public var current: BarResult { machine.prediction.result() }
    /// Whether everything is confirmed.
    public var isSettled: Bool { machine.isSettled }

    /// Applies an event, sends it with others of this frame, and returns the shown bar.
    ///
    /// After `end()`, or while too many events wait, it is only applied. In the latter case another session goes on with the
    /// shown bar at the next request, and the waiting events are reported as dropped (`queue-full`).
    ///
    /// - Throws: the problem of an event that the service would refuse. Nothing has changed then.
    @discardableResult
    public func send(_ event: BarEvent) throws(Problem) -> BarResult {
        let result = try machine.show(event, now: service.clock.now)
        report(.changed(result))
        wake()
        return result
    }

    /// Sets or removes tracks immediately, and then at the service.
    ///
    /// - Throws: the problem of too many tracks, or of a name that no track can have. Nothing has changed then.
    public func setTracks(_ changes: [TrackChange]) throws(Problem) {
        try machine.setTracks(changes)
        report(.changed(current))
        wake()
    }

    /// Calls `body` with every update, on the main actor, until the returned observation ends or is no longer kept.
    public func observe(_ body: @escaping @MainActor (BarUpdate) -> Void) -> BarObservation {
        let observation = BarObservation(body)
        observers.removeAll { $0.observation?.body == nil }
        observers.append(Observer(observation: observation))
        return observation
    }

    /// The updates from now on, until the session is ended or the bar is no longer referred to.
    public var updates: AsyncStream<BarUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: BarUpdate.self)
        guard !machine.isOver else {
            continuation.finish()
            return stream
        }
        lastStream += 1
        let number = lastStream
        streams[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { @MainActor in self?.streams[number] = nil } }
        return stream
    }

    /// Returns when everything is confirmed.
    ///
    /// - Throws: the problem that stopped the session, or `CancellationError`.
    public func settled() async throws {
        var updates = updates.makeAsyncIterator()
        while !machine.isSettled {
            guard await updates.next() != nil else { throw CancellationError() }
        }
        if let problem = machine.halted { throw problem }
    }

    /// Continues after a problem that stopped the session, or ends a pause; call it when the network is back.
    public func retry() {
        if case .pause = machine.phase { work?.cancel() }
        perform(machine.retry())
    }

    /// Ends the session here and at the service, even while it is being created.
    ///
    /// - Throws: the problem of a deletion that failed; the service ends the session later by itself then.
    public func end() async throws(Problem) {
        work?.cancel()
        perform(machine.stop())
        var id = machine.id
        if id == nil, let result = await creation?.value { id = try await createdID(result) }
        guard let id else { return }
        let response = try await service.send(.deletion(of: id))
        if response.status != 404 { _ = try response.document() }
    }

    /// Returns the id of a session from the result of its creation, which is repeated if its response was lost.
    private func createdID(_ result: Result<BarReply, Problem>) async throws(Problem) -> String? {
        var result = result
        if case .failure(let problem) = result, problem.isTransient {
            // With the key of the lost creation, the service answers again.
            let request = machine.creation
            result = .success(try request.reply(try await service.send(request.request(id: ""))))
        }
        guard case .success(.bar(let bar)) = result else { return nil }
        return bar.id
    }

    // MARK: Advanced

    /// The sequence number of the last confirmed event.
    public var lastSequence: Int { machine.queue.sequence }
    /// The number of confirmed events and changes of tracks, of all writers.
    public var revision: Int { machine.prediction.revision }
    /// The events that are not confirmed.
    public var pendingEvents: [BarEvent] { machine.queue.pending.map(\.event) }

    /// Reads the changes of other writers, and returns when everything is confirmed.
    ///
    /// - Throws: the problem that stopped the session, or `CancellationError`.
    public func sync() async throws {
        perform(machine.sync())
        try await settled()
    }

    /// Watches the changes of other writers until the returned observation ends, or the bar is no longer referred to.
    public func follow() -> BarObservation {
        let task = Task { [weak self, service] in
            await service.watch {
                self?.id
            } hear: { revision in
                if let self { self.perform(self.machine.hear(revision: revision)) }
            }
        }
        watches.removeAll(where: \.isCancelled)
        watches.append(task)
        return BarObservation(task: task)
    }

    // MARK: Actions of the machine

    private func wake() { perform(machine.wake()) }

    private func report(_ update: BarUpdate) {
        if case .connection(let connection) = update { self.connection = connection }
        for observer in observers { observer.observation?.body?(update) }
        for stream in streams.values { stream.yield(update) }
        if machine.isOver { for stream in streams.values { stream.finish() } }
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
            case .pause(let number, let seconds, let problem):
                let (clock, end) = (service.clock, service.clock.now + seconds)
                work = Task { [weak self] in
                    if (try? await clock.sleep(until: end)) != nil, let self { perform(machine.pauseEnded(number)) }
                    return .failure(.cancelled)
                }
                report(.connection(.waiting(until: Date(timeIntervalSinceNow: seconds), problem)))
            case .delete(let id): Task { [service] in try? await service.send(.deletion(of: id)) }
            case .report(let update): report(update)
            }
        }
    }

    private func send(_ request: ServiceRequest, _ kind: BarRequest, _ number: Int) {
        let sending: Task<Result<BarReply, Problem>, Never> = Task { [weak self, service] in
            let result: Result<BarReply, Problem>
            do throws(Problem) {
                result = .success(try kind.reply(try await service.send(request)))
            } catch {
                result = .failure(error)
            }
            if let self, !Task.isCancelled { perform(machine.finish(number, result)) }
            return result
        }
        if case .create = kind { creation = sending } else { work = sending }
    }

    private static func wait(_ body: @escaping @MainActor () -> Void) {
        Task {
            try? await Task.sleep(nanoseconds: 1_000_000_000 / 60)
            body()
        }
    }
}

/// The observation of a bar, which ends when its last reference does.
@MainActor
public final class BarObservation {
    private(set) fileprivate var body: (@MainActor (BarUpdate) -> Void)?
    private let task: Task<Void, Never>?

    init(_ body: (@MainActor (BarUpdate) -> Void)? = nil, task: Task<Void, Never>? = nil) {
        self.body = body
        self.task = task
    }

    deinit {
        task?.cancel()
    }

    /// Ends the observation.
    public func end() {
        body = nil
        task?.cancel()
    }
}

package import BarLayout

/// The session of one bar as a pure value: it receives events and results, and returns the actions to perform.
///
/// One request is in flight at a time; events sent meanwhile are the next batch. Time and the network are outside: `Bar`
/// performs the actions, and the tests perform them in a simulation. docs/clients.md describes the design.
package struct BarMachine: Sendable {
    /// The part of the log to read before the next batch.
    struct Question: Sendable, Equatable {
        var after: Int
        var isRebuild: Bool
    }

    private(set) var prediction: Prediction
    /// The session's id; nil until the service has created it.
    private(set) var id: String?
    private(set) var halted: Problem?
    private(set) var phase = Phase.idle
    var definition: BarDefinition
    /// The idempotency key of the creation, so that a retry does not create a second bar.
    private var key: String
    /// Makes the marks of events, the keys and the pauses random.
    private var random: any RandomNumberGenerator & Sendable
    private var question: Question?
    private var reading: LogReading?
    /// Whether the log is to be read once more after this reading.
    private var isAskedAgain = false
    /// The tag of the state on which a change of tracks was refused; the log is read after that.
    private var refusalTag: String?
    /// Whether the log is too short to tell what happened to unconfirmed events.
    private var isTrimmed = false
    /// The newest revision that was reported to the client; `Int.max` if the session has ended.
    private var heard = 0
    /// Requests without an answer, and reactions to answers, one after the other.
    private var (failures, cures) = (0, 0)
    private var isOnline = false
    private var numbers = 0
    /// The most events that wait for the service.
    private let queueLimit: Int
    /// Whether events are only applied, because too many wait, until another session replaces this one.
    private var isFull = false
    /// Whether the session is another one's, which is continued.
    private var isContinued: Bool
    /// Whether something was sent since the last time that everything was confirmed.
    private var isBusy = false

    /// Starts a session, or continues the one with an id; `random` makes marks unique and pauses random.
    package init(
        _ definition: BarDefinition,
        id: String? = nil,
        queueLimit: Int = 10_000,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.definition = definition
        self.id = id
        isContinued = id != nil
        self.queueLimit = queueLimit
        prediction = Prediction(definition)
        self.random = random
        key = BarMachine.newKey(&self.random)
        if id != nil { question = Question(after: 0, isRebuild: true) }
    }

    var queue: EventQueue { prediction.queue }
    var isSettled: Bool { phase == .idle && !hasWork }
    var isOver: Bool { halted?.code == "ended" }
    private var isSent: Bool { !isOver && !isFull }
    /// The request that creates the session; with its key, it can be repeated.
    var creation: BarRequest { .create(definition, key: key) }

    private var hasWork: Bool {
        guard halted == nil else { return false }
        let hasNews = id == nil || question != nil || heard > prediction.revision
        return hasNews || !queue.isEmpty || !prediction.trackChanges.isEmpty
    }

    // MARK: Events

    /// Applies an event to the shown bar, queues it, and returns the shown bar; `now` is a steady clock in seconds.
    ///
    /// After the end of the session, or while too many events wait, it is only applied.
    ///
    /// - Throws: the problem of an event that the service would refuse. Nothing has changed then.
    package mutating func show(_ event: BarEvent, now: Double) throws(Problem) -> BarResult {
        if let id = event.scrollableID, id.unicodeScalars.count > Scrollable.idLimit {
            let detail = "must have at most \(Scrollable.idLimit) characters"
            let fault = Problem.Fault(pointer: "/scrollableId", detail: detail)
            throw Problem(status: 422, code: "invalid-content", detail: detail, faults: [fault])
        }
        do {
            let isFull = isFull || queue.pending.count >= queueLimit
            let result = try prediction.predict(marked(event, now: now), isQueued: !isOver && !isFull)
            self.isFull = isFull
            return result
        } catch {
            throw Problem(error)
        }
    }

    /// Returns the event with its mark as the time: whole milliseconds of the clock, and a random part below one.
    private mutating func marked(_ event: BarEvent, now: Double) -> BarEvent {
        let mark = ((now * 1000).rounded(.down) + Double.random(in: 0..<1, using: &random)) / 1000
        return BarEvent(event.action, source: event.source, scrollableID: event.scrollableID, timestamp: mark)
    }

    private static func newKey(_ random: inout any RandomNumberGenerator & Sendable) -> String {
        "\(String(random.next(), radix: 16))-\(String(random.next(), radix: 16))"
    }

    mutating func setTracks(_ changes: [TrackChange]) throws(Problem) {
        do {
            try prediction.setTracks(changes, isQueued: isSent)
        } catch {
            throw Problem(error)
        }
    }

    mutating func sync() -> [Action] {
        // What was written before this call may be newer than the page in flight.
        isAskedAgain = if case .request = phase { reading != nil } else { false }
        if !isAskedAgain { ask() }
        return wake()
    }

    /// Records a reported revision; `Int.max` means that the session has ended.
    mutating func hear(revision: Int) -> [Action] {
        heard = max(heard, revision)
        return wake()
    }

    /// Continues after a problem that stopped the session, or ends a pause.
    mutating func retry() -> [Action] {
        guard !isOver else { return [] }
        halted = nil
        guard case .pause(let number) = phase else { return wake() }
        return pauseEnded(number)
    }

    mutating func stop() -> [Action] {
        var actions = [Action.report(.settled)]
        if case .pause = phase { actions.insert(.report(.connection(.connecting)), at: 0) }
        halted = Problem(code: "ended", detail: "The session has ended.")
        phase = .idle
        dropPending()
        return actions
    }

    mutating func frame(_ number: Int) -> [Action] {
        guard phase == .frame(number) else { return [] }
        let changes = prediction.nextTrackChanges
        if !changes.isEmpty {
            defer { refusalTag = nil }
            return send(.putTracks(changes, revision: prediction.revision, tag: refusalTag))
        }
        return send(.post(prediction.queue.next()))
    }

    mutating func pauseEnded(_ number: Int) -> [Action] {
        guard phase == .pause(number) else { return [] }
        phase = .idle
        return [.report(.connection(.connecting))] + wake()
    }

    /// A request has a result; late ones are ignored.
    mutating func finish(_ number: Int, _ result: Result<BarReply, Problem>) -> [Action] {
        guard case .request(number, let request) = phase else { return [] }
        phase = .idle
        var actions: [Action] = []
        // An answer to a session that is replaced is not used, but for its id.
        if isFull, case .success(.bar(let bar)) = result { id = id ?? bar.id }
        switch isFull ? result.flatMap({ _ in .failure(.queueFull) }) : result {
        case .failure(let problem) where problem.isTransient:
            if case .post = request { prediction.queue.doubtLastBatch() }
            reading?.repeatLog()
            pause(attempt: failures, problem, &actions)
            failures += 1
        case .failure(let problem):
            tellOnline(&actions)
            guard recover(problem, of: request, &actions) else {
                reading?.repeatLog()
                halted = problem
                return actions + [.report(.problem(problem, events: [])), .report(.settled)]
            }
            // The first reaction is tried without a pause.
            if cures > 0 { pause(attempt: cures - 1, problem, &actions) }
            cures += 1
        case .success(let reply):
            tellOnline(&actions)
            if receive(reply, to: request, &actions) { cures = 0 }
        }
        return actions + wake()
    }

    private mutating func pause(attempt: Int, _ problem: Problem, _ actions: inout [Action]) {
        numbers += 1
        phase = .pause(numbers)
        isOnline = false
        let part = Double.random(in: 0...1, using: &random)
        let seconds = BackOff.pause(attempt: attempt, retryAfter: problem.retryAfter, random: part)
        actions.append(.pause(numbers, seconds: seconds, problem))
    }

    /// Records an answer of the service, which ends the back-off.
    private mutating func tellOnline(_ actions: inout [Action]) {
        failures = 0
        if !isOnline { actions.append(.report(.connection(.online))) }
        isOnline = true
    }

    // MARK: Requests

    mutating func wake() -> [Action] {
        guard phase == .idle else { return [] }
        guard hasWork else {
            defer { isBusy = false }
            return isBusy ? [.report(.settled)] : []
        }
        isBusy = true
        if isFull {
            var actions: [Action] = []
            replace(&actions)
            return actions + send(creation)
        }
        guard id != nil else { return send(creation) }
        if queue.isEmpty, heard > prediction.revision { ask() }
        if let question {
            let whole = question.isRebuild ? definition : nil
            let reading =
                reading ?? LogReading(after: question.after, definition: whole, isGone: isTrimmed, &prediction)
            // The state after the log is not newer than the log.
            if case .log = reading.next { heard = 0 }
            self.reading = reading
            return send(reading.next)
        }
        numbers += 1
        phase = .frame(numbers)
        return [.waitForFrame(numbers)]
    }

    private mutating func send(_ request: BarRequest) -> [Action] {
        numbers += 1
        phase = .request(numbers, request)
        return [.request(numbers, request.request(id: id ?? ""), request)]
    }

    /// Requests to read the log before the next batch, by default from the last confirmed event on.
    private mutating func ask(after sequence: Int? = nil, isRebuild: Bool = false) {
        let sequence = sequence ?? queue.sequence
        question = Question(
            after: min(question?.after ?? sequence, sequence),
            isRebuild: isRebuild || question?.isRebuild == true
        )
    }

    /// Handles the reply to a request; returns true if it made progress.
    private mutating func receive(_ reply: BarReply, to request: BarRequest, _ actions: inout [Action]) -> Bool {
        switch (request, reply) {
        case (.create, .bar(let bar)):
            id = bar.id
            prediction.revision = bar.revision
            compare(bar, predicted: prediction.created.commands, &actions)
            actions.append(.report(.session(id: bar.id ?? "")))
            return false
        case (.post, .bar(let bar)):
            confirm(bar, &actions)
            return true
        case (.putTracks(let changes, _, _), .bar(let bar)):
            prediction.confirm(changes, revision: bar.revision)
            adoptValues(of: bar, &actions)
            return true
        default: return read(reply, &actions)
        }
    }

    private mutating func confirm(_ bar: BarAnswer, _ actions: inout [Action]) {
        let before = queue.sequence
        let confirmed = prediction.queue.confirm(upTo: bar.lastSequence)
        let predicted = confirmed.flatMap { prediction.confirm($0.event)?.commands ?? [] }
        // Between two events of this client, only tracks can have changed.
        if bar.revision > prediction.revision + confirmed.count { ask(after: before) }
        prediction.revision = bar.revision
        if !queue.hasMissing { compare(bar, predicted: predicted, &actions) }
        if queue.sequence > before { actions.append(.report(.confirmed(before + 1...queue.sequence))) }
    }

    /// Takes a page of the log, or the bar that it lacks; returns true if another writer had commands.
    private mutating func read(_ reply: BarReply, _ actions: inout [Action]) -> Bool {
        guard var reading else { return false }
        let isFinished = reading.receive(reply, &prediction)
        self.reading = reading
        guard isFinished else { return true }
        let lost = isTrimmed || reading.hasGap ? prediction.queue.dropDoubtful().map(\.event) : []
        question = isAskedAgain ? Question(after: queue.sequence, isRebuild: false) : nil
        (self.reading, isTrimmed, isAskedAgain) = (nil, false, false)
        renew(reading.others, &actions)
        if case .bar(let bar) = reply { adoptValues(of: bar, &actions) }
        for numbers in reading.found { actions.append(.report(.confirmed(numbers))) }
        if !lost.isEmpty {
            let detail = "It is not known whether these events arrived."
            actions.append(.report(.problem(Problem(code: "sequence-trimmed", detail: detail), events: lost)))
        }
        return !reading.others.isEmpty
    }

    // MARK: The service's state, and its effect on the shown bar

    /// Adopts the service's report if the confirmed bar differs, and its commands that were not predicted.
    private mutating func compare(_ bar: BarAnswer, predicted: [BarCommand], _ actions: inout [Action]) {
        adoptValues(of: bar, &actions)
        guard ReportedBar(prediction.confirmed) != bar.report else { return }
        prediction.adopt(bar)
        let unexpected = bar.commands.enumerated().filter { index, command in
            !predicted.indices.contains(index) || [command].differ(from: [predicted[index]])
        }
        renew(unexpected.map(\.element), &actions)
    }

    private mutating func adoptValues(of bar: BarAnswer, _ actions: inout [Action]) {
        if prediction.adoptValues(bar.values) { actions.append(.report(.changed(prediction.result()))) }
    }

    /// Updates the shown bar after a confirmation that was not predicted; `others` are other writers' commands.
    private mutating func renew(_ others: [BarCommand], _ actions: inout [Action]) {
        let before = prediction.result()
        let (commands, refused) = prediction.renew()
        let result = prediction.result(commands: others + commands)
        let (from, to) = (before.state.height, result.state.height)
        if abs(to - from) > Prediction.noticeable {
            actions.append(.report(.corrected(BarCorrection(from: from, to: to, result: result))))
        }
        if result != before { actions.append(.report(.changed(result))) }
        for (problem, event) in refused { actions.append(.report(.problem(problem, events: [event]))) }
    }

    /// Reacts to the problem of a request; returns false if there is no reaction.
    private mutating func recover(_ problem: Problem, of request: BarRequest, _ actions: inout [Action]) -> Bool {
        switch problem.code {
        case "queue-full": break
        case "bar-not-found": startAnew(with: prediction.confirmed, &actions)
        case "sequence-reused":
            prediction.queue.clearDoubts()
            ask(isRebuild: queue.hasMissing)
        case "sequence-gap":
            if let expected = problem.expectedSequence, prediction.queue.goBack(to: expected) { return true }
            ask(after: 0, isRebuild: true)
        case "sequence-trimmed":
            if reading?.stateIsGone() == true { return true }
            ask()
            isTrimmed = true
        case "idempotency-key-reused": key = BarMachine.newKey(&random)
        case _ where problem.status == 412:
            refusalTag = problem.etag
            ask()
        default:
            guard problem.status == 413, case .post = request, prediction.queue.shrink() else {
                return dropRefused(problem, of: request, &actions)
            }
        }
        return true
    }

    /// Drops the event, or the tracks, that the service refuses for good.
    private mutating func dropRefused(_ problem: Problem, of request: BarRequest, _ actions: inout [Action]) -> Bool {
        let event = problem.eventIndex.flatMap { prediction.queue.drop(at: $0) }?.event
        let isOfTracks = if case .putTracks = request { [413, 422].contains(problem.status) } else { false }
        guard event != nil || isOfTracks else { return false }
        if isOfTracks { prediction.trackChanges = [] }
        renew([], &actions)
        actions.append(.report(.problem(problem, events: event.map { [$0] } ?? [])))
        return true
    }

    /// Starts another session with the shown bar instead of too many events that wait.
    private mutating func replace(_ actions: inout [Action]) {
        let events = queue.pending.map(\.event)
        dropPending()
        if let id, !isContinued { actions.append(.delete(id: id)) }
        startAnew(with: prediction.shown, &actions)
        isFull = false
        actions.append(.report(.problem(.queueFull, events: events)))
    }

    private mutating func dropPending() {
        prediction.queue.pending = []
        prediction.trackChanges = []
    }

    /// Creates another session, in which a bar goes on.
    private mutating func startAnew(with bar: BarSession, _ actions: inout [Action]) {
        definition = prediction.startAnew(with: bar, ttlSeconds: definition.ttlSeconds)
        (id, key, question, reading, heard) = (nil, BarMachine.newKey(&random), nil, nil, 0)
        (isTrimmed, isAskedAgain, isContinued, refusalTag) = (false, false, false, nil)
        renew([], &actions)
    }
}

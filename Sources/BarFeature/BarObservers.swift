import HTTPExchange
import JSON
import Primitives
import Synchronization

/// The observers of all bars.
///
/// A write is encoded once for all observers of a bar, and not at all if there are none. No lock is held while an observer
/// is called.
package final class BarObservers: Sendable {
    /// The observers of each bar, by their numbers.
    private let observers = Lock<[BarID: [Int: BarObserver]]>([:])
    private let lastNumber = Atomic<Int>(0)
    private let total = Atomic<Int>(0)

    package init() {}

    package var count: Int { total.load(ordering: .relaxed) }

    /// Adds an observer of a bar; `account` pays for its events.
    ///
    /// The end of its stream removes it, and calls `onEnd`.
    func add(
        to id: BarID,
        wantsCommands: Bool,
        account: MemoryAccount,
        onEnd: @escaping @Sendable () -> Void
    ) -> BarObserver {
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        let stream = EventStream(account: account) { [self] in
            remove(number, from: id)
            onEnd()
        }
        let observer = BarObserver(stream: stream, wantsCommands: wantsCommands)
        // First, so that the number is never below that of the observers.
        total.add(1, ordering: .relaxed)
        observers.withLock { $0[id, default: [:]][number] = observer }
        return observer
    }

    /// Removes an observer, unless it was removed before.
    private func remove(_ number: Int, from id: BarID) {
        let isFound = observers.withLock { observers in
            let isFound = observers[id]?.removeValue(forKey: number) != nil
            if observers[id]?.isEmpty == true { observers[id] = nil }
            return isFound
        }
        if isFound { total.subtract(1, ordering: .relaxed) }
    }

    /// Sends a state to the observers of its bar, with the commands that led to it.
    package func publish(_ record: BarRecord, _ commands: [NumberedCommand], of id: BarID) {
        // Usually no bar has observers, and no lock is needed to see that. An observer that is added at this moment reads
        // the bar afterwards, and so reads this write.
        guard total.load(ordering: .relaxed) > 0 else { return }
        guard let observers = observers.withLock({ $0[id]?.values }) else { return }
        let withCommands = observers.contains(where: \.wantsCommands)
        let publication = BarPublication(id, record, commands, withCommands: withCommands)
        for observer in observers { observer.send(publication) }
    }

    /// Ends the streams of a bar, except those that observe it since it was made again, as `creation`.
    package func end(_ id: BarID, reason: String, except creation: UInt64? = nil) {
        let ended = observers.withLock { observers in
            let all = observers.removeValue(forKey: id) ?? [:]
            let kept = all.filter { creation != nil && $0.value.creation ?? creation == creation }
            if !kept.isEmpty { observers[id] = kept }
            return all.filter { kept[$0.key] == nil }.values
        }
        total.subtract(ended.count, ordering: .relaxed)
        for observer in ended { observer.stream.end(reason: reason) }
    }
}

/// A stream that observes a bar: it gets the newest state, each change once, and never an older state.
///
/// Writers publish concurrently and in any order.
final class BarObserver: Sendable {
    let stream: EventStream
    /// Whether the client has requested the commands of the bar.
    let wantsCommands: Bool
    /// The newest state that was sent, or that the client has.
    ///
    /// Of its visible part only the hash: an idle stream must not keep what no client pays for.
    private let newest = Lock<(creation: UInt64, revision: Int, visibleHash: UInt64)?>(nil)

    /// The creation of the bar that the client has seen; nil before its first state.
    var creation: UInt64? { newest.withLock { $0?.creation } }

    init(stream: EventStream, wantsCommands: Bool) {
        self.stream = stream
        self.wantsCommands = wantsCommands
    }

    /// Sends a state that is newer than the last one, unless the client has it.
    ///
    /// A state without a visible difference is skipped, unless it has commands that the client has requested.
    func send(_ publication: BarPublication, isKnown: Bool = false) {
        let isWanted = newest.withLock { newest in
            guard publication.revision > newest?.revision ?? -1 else { return false }
            let looksSame = newest?.visibleHash == publication.visibleHash
            newest = (publication.creation, publication.revision, publication.visibleHash)
            return !isKnown && (!looksSame || (wantsCommands && publication.hasCommands))
        }
        guard isWanted else { return }
        // Another thread may have sent a newer state meanwhile.
        let event = wantsCommands ? publication.eventWithCommands : publication.event
        stream.send(event, number: publication.revision)
    }
}

/// A state of a bar as its observers get it, encoded once for all of them.
struct BarPublication: Sendable {
    let creation: UInt64
    let revision: Int
    /// The hash of the part that changes for observers.
    let visibleHash: UInt64
    let hasCommands: Bool
    /// The server-sent event.
    let event: SharedBytes
    /// The event with the commands of the request; the other one if no observer has requested them.
    let eventWithCommands: SharedBytes

    init(_ id: BarID, _ record: BarRecord, _ commands: [NumberedCommand] = [], withCommands: Bool) {
        (creation, revision) = (record.creation, record.revision)
        visibleHash = SipHash.hash(BarAnswer.visibleState(of: record.session))
        hasCommands = !commands.isEmpty
        let answer = BarAnswer(id: id, expiresAt: record.expiresAt, commands: commands)
        func encoded(withCommands: Bool) -> SharedBytes {
            let data = String(decoding: answer.json(record, withCommands: withCommands), as: UTF8.self)
            return SharedBytes(ServerSentEvent.bytes("state", id: record.tag.text, data: data))
        }
        event = encoded(withCommands: false)
        eventWithCommands = withCommands ? encoded(withCommands: true) : event
    }
}

import PhotoFeed
import SharedState
import Synchronization

extension SharedKey {
    /// The journal of the photos.
    static let journal = photos("journal")
}

extension SharedPhotos {
    /// The most attempts to append a ticket: other replicas came first at each of them.
    private static let appends = 100

    /// Appends a ticket, and sends its records to the other replicas.
    ///
    /// A failure is counted. The records are stored already, so a replica that needs them finds them by their keys.
    func tell(_ notice: PhotoNotice, _ clocks: ClockPair) async {
        let bytes = notice.bytes(clocks)
        do throws(SharedStateError) {
            for _ in 0..<SharedPhotos.appends where try await append(notice.ticket, bytes) { return }
            note("a ticket cannot be appended to the journal", SharedStateError.unavailable)
        } catch {
            note("a ticket cannot be appended to the journal", error)
        }
    }

    /// Attempts an append; returns false if the head of the journal was not the known one.
    private func append(_ ticket: PhotoTicket, _ notice: [UInt8]) async throws(SharedStateError) -> Bool {
        guard let write = journal.withLock({ $0.append(ticket, nonce: makeNonce(), note: notice) }) else {
            try await findHead()
            return false
        }
        let result: SharedExchange
        do throws(SharedStateError) {
            result = try await engine.exchange(.journal, write)
        } catch .refused where write.dropping > 0 {
            // The journal has fewer tickets than its head says, so it is not one of ours.
            _ = try await engine.delete(.journal, base: write.base)
            result = .missing
        }
        switch result {
        case .done:
            journal.withLock { _ = $0.found(write.value) }
            return true
        // Another replica came first.
        case .conflict(let present): try await note(head: present)
        case .missing: journal.withLock { $0.lost() }
        }
        return false
    }

    /// Finds the head of the journal, which begins again after the store was emptied.
    private func findHead() async throws(SharedStateError) {
        let empty = JournalState.empty(nonce: makeNonce())
        switch try await engine.create(.journal, empty, timeToLive: PhotoRecord.timeToLive) {
        case .created: journal.withLock { _ = $0.found(empty) }
        case .exists(let present): try await note(head: present)
        }
    }

    /// Notes the head of the journal; deletes one that cannot be read.
    private func note(head: SharedValue) async throws(SharedStateError) {
        if journal.withLock({ $0.found(head) }) { return }
        note("the journal of photos cannot be read", StoredBytesError.invalidPhoto)
        _ = try await engine.delete(.journal, base: head.version)
    }

    // MARK: Following

    /// Follows the journal until the task is cancelled: all of it at first and after each interruption, then its notices.
    ///
    /// If `install` or `readBack` throws, because the store is away, the journal is read again after a pause.
    ///
    /// - Parameters:
    ///   - clocks: returns the two clocks.
    ///   - install: installs the records of a notice.
    ///   - readBack: reads the records of some tickets, and installs them.
    func follow(
        clocks: @Sendable () -> ClockPair,
        notice install: @Sendable (PhotoNotice) async throws(SharedStateError) -> Void,
        tickets readBack: @Sendable ([PhotoTicket]) async throws(SharedStateError) -> Void
    ) async {
        // A lost message is a gap between two versions, after which the journal is read.
        let (events, receiver) = AsyncStream.makeStream(of: JournalEvent.self, bufferingPolicy: .bufferingNewest(64))
        let arrived = Atomic(0)
        let watch = engine.watch(.journal) { event in
            // The engine calls this function for one event after the other.
            receiver.yield(JournalEvent(number: arrived.add(1, ordering: .relaxed).newValue, event))
        }
        defer { engine.unwatch(watch) }
        /// The number of the last event before the journal was read: the read has found its effect, and that of all before.
        var covered = 0
        var pauses = FollowPauses()
        for await event in events where event.number > covered {
            var step = JournalState.Step.readAll
            if let version = event.version { step = journal.withLock { $0.received(version) } }
            while step != .skip {
                do throws(SharedStateError) {
                    if step == .apply, let notice = JournalState.notice(in: event.message, clocks()) {
                        try await install(notice)
                    } else {
                        let last = arrived.load(ordering: .relaxed)
                        try await readBack(try await readJournal())
                        covered = last
                    }
                    pauses = FollowPauses()
                    step = .skip
                } catch {
                    guard error != .cancelled else { return }
                    journal.withLock { $0.interrupted() }
                    do {
                        try await pause(pauses.next())
                    } catch {
                        return
                    }
                    step = .readAll
                }
            }
        }
    }

    /// Reads the journal; deletes one that has more tickets than any replica leaves in it.
    private func readJournal() async throws(SharedStateError) -> [PhotoTicket] {
        let entry = try await engine.readWithLog(.journal)
        if let entry, entry.log.count > JournalState.limit {
            note("the journal of photos is too long", StoredBytesError.inconsistentLog)
            _ = try await engine.delete(.journal, base: entry.value.version)
            return journal.withLock { $0.readAll(nil) }
        }
        return journal.withLock { $0.readAll(entry) }
    }
}

/// An event of the journal, with its number in the order of arrival.
private struct JournalEvent: Sendable {
    let number: Int
    /// The bytes of a write; empty for another event, and for a message that no replica sends.
    let message: [UInt8]

    init(number: Int, _ event: SharedEvent) {
        self.number = number
        message = if case .written(let bytes) = event, bytes.count <= PhotoNotice.largestMessage { bytes } else { [] }
    }

    /// The version that was written; nil if the journal must be read.
    var version: SharedVersion? { SharedVersion(message) }
}

/// The pauses before the journal is read again: they double from a second to half a minute.
private struct FollowPauses {
    private var seconds = 1

    mutating func next() -> Duration {
        defer { seconds = min(2 * seconds, 30) }
        return .seconds(seconds)
    }
}

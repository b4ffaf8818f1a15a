/// The reports of downloads that wait to be sent, as a state machine: which is sent next, by how many senders, and when
/// a failed one is sent again.
///
/// A queue and not a task for each: forty thousand tasks that sleep until the hour is over are 200 MB. A few senders take
/// what is due; at most one of them sleeps until the earliest retry, and the others end.
struct DownloadQueue: Sendable {
    /// One download to be reported.
    struct Report: Sendable, Equatable {
        /// Where it is reported.
        let location: String
        /// The trace of the request that asked for it; nil without one.
        let trace: String?
        /// How often it has failed.
        fileprivate(set) var failures = 0

        init(location: String, trace: String?) {
            self.location = location
            self.trace = trace
        }

        /// Bytes that the report takes while it waits: its texts and its entry.
        var cost: Int { location.utf8.count + (trace?.utf8.count ?? 0) + 256 }
    }

    /// What a sender does next.
    enum Step: Sendable, Equatable {
        case send(Report)
        /// Wait, and then ask with `woke: true`.
        case wait(Duration)
        /// There is nothing left to do: the sender ends.
        case end
    }

    /// The most reports that wait or are being sent.
    static let capacity = 1024
    /// Senders that work at once.
    static let senders = 4
    /// The longest wait, after which a sender looks whether a shorter one has been added.
    private static let longestWait = Duration.seconds(1)
    /// The waits between attempts: ten minutes outlast a restart of the library.
    private static let waits: [Duration] = [.seconds(1), .seconds(10), .seconds(60), .seconds(600)]

    /// In the order they came; those before `firstReady` have been taken.
    private var ready: [Report] = []
    private var firstReady = 0
    /// The latest first.
    private var retries: [(due: ContinuousClock.Instant, report: Report)] = []
    private var sending = 0
    private var isWaiting = false
    private var running = 0

    /// Reports that wait or are being sent.
    var count: Int { ready.count - firstReady + retries.count + sending }

    /// Whether another report is taken.
    var hasRoom: Bool { count < Self.capacity }

    /// Takes a report.
    ///
    /// - Precondition: `hasRoom`.
    /// - Returns: true if another sender is to be started.
    mutating func add(_ report: Report) -> Bool {
        precondition(hasRoom, "the queue is full")
        ready.append(report)
        // One that waits for a retry does not count: it wakes too late for this report.
        guard running - (isWaiting ? 1 : 0) < Self.senders else { return false }
        running += 1
        return true
    }

    /// What a sender does next; `woke` says that it has waited.
    mutating func next(woke: Bool = false, now: ContinuousClock.Instant) -> Step {
        if woke { isWaiting = false }
        while let last = retries.last, last.due <= now {
            retries.removeLast()
            ready.append(last.report)
        }
        if firstReady < ready.count {
            let report = ready[firstReady]
            firstReady += 1
            if firstReady == ready.count || firstReady >= Self.capacity {
                ready.removeFirst(firstReady)
                firstReady = 0
            }
            sending += 1
            return .send(report)
        }
        guard let last = retries.last, !isWaiting else {
            running -= 1
            return .end
        }
        isWaiting = true
        return .wait(min(Self.longestWait, last.due - now))
    }

    /// Notes how an attempt ended, of a report that `next` gave.
    ///
    /// `retryAfter` is the least wait before the next attempt; nil if there is to be none. Gives true if the report is done
    /// with; it has left the queue then.
    mutating func ended(_ report: Report, retryAfter: Duration?, now: ContinuousClock.Instant) -> Bool {
        sending -= 1
        guard let retryAfter, report.failures < Self.waits.count else { return true }
        let due = now + max(Self.waits[report.failures], retryAfter)
        var report = report
        report.failures += 1
        let index = retries.firstIndex { $0.due <= due } ?? retries.endIndex
        retries.insert((due, report), at: index)
        return false
    }
}

import CCurl
import PhotoFeed
import Primitives

/// The running transfers, and those that wait.
///
/// Calls of the API and of images have separate limits, so that slow images do not delay the API. libcurl may open as
/// many connections as transfers run, so a running transfer never waits inside libcurl and its time-outs measure the
/// library.
///
/// Only the thread of its loop uses it.
final class TransferScheduler {
    private let multi: TransferLoop.Handle
    private let policy: AddressPolicy
    private var running: [UInt64: (transfer: Transfer, job: TransferLoop.Job)] = [:]
    /// The jobs that could not start at once.
    private var delayed: Set<UInt64> = []
    /// In the order of their arrival.
    private var waiting: [TransferLoop.Job] = []
    private var runningImages = 0
    private var ended: [(TransferLoop.Job, Result<TransferResponse, UpstreamError>)] = []

    /// Calls of the API that run at once.
    private static let largestCalls = 16
    /// Images that run at once; over HTTP/2 one connection carries all of them.
    private static let largestImages = 24
    /// The longest sleep, which bounds the effect of a missed wake-up.
    private static let longestSleep = Duration.seconds(1)

    init(multi: TransferLoop.Handle, policy: AddressPolicy) {
        self.multi = multi
        self.policy = policy
        springbar_multi_set_long(multi.pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        springbar_multi_set_long(multi.pointer, CURLMOPT_MAX_HOST_CONNECTIONS, Self.largestCalls + Self.largestImages)
        springbar_multi_set_long(multi.pointer, CURLMOPT_MAXCONNECTS, Self.largestCalls + Self.largestImages)
    }

    func add(_ job: TransferLoop.Job) {
        waiting.append(job)
    }

    func cancel(_ id: UInt64) {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            delayed.remove(id)
            ended.append((waiting.remove(at: index), .failure(.cancelled)))
        } else {
            end(id, .failure(.cancelled))
        }
    }

    func cancelAll() {
        for job in waiting { ended.append((job, .failure(.cancelled))) }
        waiting = []
        delayed = []
        for id in running.keys { end(id, .failure(.cancelled)) }
    }

    /// Starts waiting transfers, runs libcurl, and sleeps until the next event or deadline.
    func turn() {
        startWaiting()
        var stillRunning: Int32 = 0
        curl_multi_perform(multi.pointer, &stillRunning)
        collectFinished()
        stopOverdue(now: .now)
        guard ended.isEmpty else { return }
        let sleep = max(.zero, min(Self.longestSleep, nextDeadline - .now))
        curl_multi_poll(multi.pointer, nil, 0, Int32(clamping: sleep.wholeMillisecondsRoundedUp), nil)
    }

    /// Returns the transfers that have ended since the last call.
    func removeEnded() -> [(TransferLoop.Job, Result<TransferResponse, UpstreamError>)] {
        defer { ended = [] }
        return ended
    }

    private func startWaiting() {
        guard hasRoom(forImage: true) || hasRoom(forImage: false) else { return }
        waiting.removeAll { job in
            guard hasRoom(forImage: job.request.isImage) else { return false }
            start(job)
            return true
        }
        for job in waiting { delayed.insert(job.id) }
    }

    private func hasRoom(forImage isImage: Bool) -> Bool {
        isImage ? runningImages < Self.largestImages : running.count - runningImages < Self.largestCalls
    }

    private func start(_ job: TransferLoop.Job) {
        let transfer = Transfer(id: job.id, request: job.request, policy: policy, deadline: job.deadline)
        running[job.id] = (transfer, job)
        if job.request.isImage { runningImages += 1 }
        // libcurl refuses a handle only if there is no memory.
        if curl_multi_add_handle(multi.pointer, transfer.easy) != CURLM_OK { end(job.id, .failure(.overloaded)) }
    }

    private func collectFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi.pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let pointer = springbar_message_private(message) else {
                continue
            }
            // Set by `Transfer.configure`; `running` retains the transfer.
            let transfer = Unmanaged<Transfer>.fromOpaque(pointer).takeUnretainedValue()
            end(transfer.id, transfer.finish(springbar_message_result(message)))
        }
    }

    private func stopOverdue(now: Instant) {
        // A job that waited here had less than its time: its end is not the fault of the library.
        for (id, entry) in running where entry.transfer.ends <= now {
            let isOurs = delayed.contains(id) && !entry.transfer.isPhaseOver(at: now)
            end(id, .failure(isOurs ? .overloaded : .timedOut))
        }
        let overdue = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        for job in overdue {
            delayed.remove(job.id)
            ended.append((job, .failure(.overloaded)))
        }
    }

    private var nextDeadline: Instant {
        let times = running.values.map(\.transfer.ends) + waiting.map(\.deadline)
        return times.min() ?? .now + Self.longestSleep
    }

    private func end(_ id: UInt64, _ result: Result<TransferResponse, UpstreamError>) {
        guard let (transfer, job) = running.removeValue(forKey: id) else { return }
        if job.request.isImage { runningImages -= 1 }
        delayed.remove(id)
        // Before the transfer frees the handle. This closes the connection of a transfer that has not ended.
        curl_multi_remove_handle(multi.pointer, transfer.easy)
        ended.append((job, result))
    }
}

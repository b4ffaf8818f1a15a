import CCurl
import PhotoFeed
import Primitives

/// The running transfers, and those that wait; only the thread of the loop uses it.
///
/// Calls of the API and of images have separate limits, so that slow images do not delay the API. libcurl may open as
/// many connections as transfers run, so none waits inside libcurl and the time-outs measure the library.
final class TransferScheduler {
    private let multi: UnsafeMutableRawPointer
    private let policy: AddressPolicy
    private var running: [UInt64: (transfer: Transfer, job: TransferLoop.Job, wasDelayed: Bool)] = [:]
    /// In the order of their arrival; a job that could not start at once is delayed.
    private var waiting: [(job: TransferLoop.Job, isDelayed: Bool)] = []
    private var runningImages = 0

    /// Calls of the API that run at once.
    private static let largestCalls = 16
    /// Images that run at once; over HTTP/2 one connection carries all of them.
    private static let largestImages = 24
    /// The longest sleep, which bounds the effect of a missed wake-up.
    private static let longestSleep = Duration.seconds(1)

    init(multi: UnsafeMutableRawPointer, policy: AddressPolicy) {
        self.multi = multi
        self.policy = policy
        springbar_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        springbar_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, Self.largestCalls + Self.largestImages)
        springbar_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.largestCalls + Self.largestImages)
    }

    func add(_ job: TransferLoop.Job) {
        waiting.append((job, false))
    }

    func cancel(_ id: UInt64) {
        if let index = waiting.firstIndex(where: { $0.job.id == id }) {
            waiting.remove(at: index).job.completion(.failure(.cancelled))
        } else {
            end(id, .failure(.cancelled))
        }
    }

    func cancelAll() {
        for id in waiting.map(\.job.id) + running.keys { cancel(id) }
    }

    /// Starts waiting transfers, runs libcurl, and sleeps until the next event or deadline.
    func turn() {
        startWaiting()
        let count = running.count + waiting.count
        var stillRunning: Int32 = 0
        curl_multi_perform(multi, &stillRunning)
        collectFinished()
        stopOverdue(now: .now)
        // The next turn starts other transfers in the place of those that ended.
        guard running.count + waiting.count == count else { return }
        let sleep = max(.zero, min(Self.longestSleep, nextDeadline - .now))
        curl_multi_poll(multi, nil, 0, Int32(clamping: sleep.wholeMillisecondsRoundedUp), nil)
    }

    private func startWaiting() {
        guard hasRoom(forImage: true) || hasRoom(forImage: false) else { return }
        let jobs = waiting
        waiting = []
        for (job, isDelayed) in jobs {
            if hasRoom(forImage: job.request.isImage) {
                start(job, wasDelayed: isDelayed)
            } else {
                waiting.append((job, true))
            }
        }
    }

    private func hasRoom(forImage isImage: Bool) -> Bool {
        isImage ? runningImages < Self.largestImages : running.count - runningImages < Self.largestCalls
    }

    private func start(_ job: TransferLoop.Job, wasDelayed: Bool) {
        let transfer = Transfer(id: job.id, request: job.request, policy: policy, deadline: job.deadline)
        running[job.id] = (transfer, job, wasDelayed)
        if job.request.isImage { runningImages += 1 }
        // libcurl refuses a handle only if there is no memory.
        if curl_multi_add_handle(multi, transfer.easy) != CURLM_OK { end(job.id, .failure(.overloaded)) }
    }

    private func collectFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
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
            let isOurs = entry.wasDelayed && !entry.transfer.isPhaseOver(at: now)
            end(id, .failure(isOurs ? .overloaded : .timedOut))
        }
        waiting.removeAll { job, _ in
            if job.deadline <= now { job.completion(.failure(.overloaded)) }
            return job.deadline <= now
        }
    }

    private var nextDeadline: Instant {
        let times = running.values.map(\.transfer.ends) + waiting.map(\.job.deadline)
        return times.min() ?? .now + Self.longestSleep
    }

    private func end(_ id: UInt64, _ result: Result<TransferResponse, UpstreamError>) {
        guard let (transfer, job, _) = running.removeValue(forKey: id) else { return }
        if job.request.isImage { runningImages -= 1 }
        // Before the transfer frees the handle. This closes the connection of a transfer that has not ended.
        curl_multi_remove_handle(multi, transfer.easy)
        job.completion(result)
    }
}

import CCurl
import PhotoFeed

/// The transfers that are running, and those that wait for room.
///
/// Lives on its loop's thread alone.
final class TransferEngine {
    private let multi: TransferLoop.Handle
    private let policy: AddressPolicy
    private var running: [UInt64: (transfer: Transfer, job: TransferLoop.Job)] = [:]
    /// In the order they came.
    private var waiting: [TransferLoop.Job] = []
    private var ended: [(TransferLoop.Job, Result<TransferResponse, UpstreamError>)] = []

    /// Transfers that run at once: enough for every client of a busy feed, and no flood for the library.
    private static let room = 64
    /// Connections to one host; over HTTP/2 one carries a hundred transfers.
    private static let connectionsPerHost = 16
    /// The longest sleep, so that no slip of ours lasts.
    private static let longestSleep = Duration.seconds(1)

    init(multi: TransferLoop.Handle, policy: AddressPolicy) {
        self.multi = multi
        self.policy = policy
        springbar_multi_set_long(multi.pointer, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        springbar_multi_set_long(multi.pointer, CURLMOPT_MAX_HOST_CONNECTIONS, Self.connectionsPerHost)
        springbar_multi_set_long(multi.pointer, CURLMOPT_MAXCONNECTS, Self.room)
    }

    func add(_ job: TransferLoop.Job) {
        waiting.append(job)
    }

    func cancel(_ id: UInt64) {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            ended.append((waiting.remove(at: index), .failure(.cancelled)))
        } else {
            end(id, .failure(.cancelled))
        }
    }

    func cancelAll() {
        for job in waiting { ended.append((job, .failure(.cancelled))) }
        waiting = []
        for id in running.keys { end(id, .failure(.cancelled)) }
    }

    /// Starts what there is room for, lets libcurl work, and sleeps until there is more to do.
    func turn() {
        startWaiting()
        var stillRunning: Int32 = 0
        curl_multi_perform(multi.pointer, &stillRunning)
        collectFinished()
        stopOverdue(now: .now)
        guard ended.isEmpty else { return }
        let sleep = max(.zero, min(Self.longestSleep, nextDeadline - .now))
        curl_multi_poll(multi.pointer, nil, 0, Int32(sleep.wholeMilliseconds), nil)
    }

    /// What has ended since the last call.
    func takeEnded() -> [(TransferLoop.Job, Result<TransferResponse, UpstreamError>)] {
        defer { ended = [] }
        return ended
    }

    private func startWaiting() {
        while running.count < Self.room, !waiting.isEmpty {
            let job = waiting.removeFirst()
            let transfer = Transfer(id: job.id, request: job.request, policy: policy, deadline: job.deadline)
            running[job.id] = (transfer, job)
            guard curl_multi_add_handle(multi.pointer, transfer.easy) == CURLM_OK else {
                end(job.id, .failure(.failed(.unreachable)))
                continue
            }
        }
    }

    private func collectFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi.pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let pointer = springbar_message_private(message) else {
                continue
            }
            // Put there by `Transfer.configure`; `running` keeps the transfer.
            let transfer = Unmanaged<Transfer>.fromOpaque(pointer).takeUnretainedValue()
            end(transfer.id, transfer.finish(springbar_message_result(message)))
        }
    }

    private func stopOverdue(now: ContinuousClock.Instant) {
        for (id, entry) in running where entry.transfer.ends <= now { end(id, .failure(.timedOut)) }
        let overdue = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        for job in overdue { ended.append((job, .failure(.timedOut))) }
    }

    private var nextDeadline: ContinuousClock.Instant {
        let times = running.values.map(\.transfer.ends) + waiting.map(\.deadline)
        return times.min() ?? .now + Self.longestSleep
    }

    private func end(_ id: UInt64, _ result: Result<TransferResponse, UpstreamError>) {
        guard let (transfer, job) = running.removeValue(forKey: id) else { return }
        // Before the handle is freed, with the transfer; closes the connection of one that has not ended.
        curl_multi_remove_handle(multi.pointer, transfer.easy)
        ended.append((job, result))
    }
}

extension Duration {
    /// Rounded up, so that a sleep of it ends after the deadline and not just before.
    fileprivate var wholeMilliseconds: Int {
        Int(components.seconds) * 1000 + Int((components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

import CCurl
import PhotoLibrary
import Primitives
import Synchronization

/// Runs all transfers of the service on one thread with libcurl's multi interface, which reuses their connections.
///
/// Callers put transfers and cancellations into an inbox and wake the thread, so libcurl needs no lock.
///
/// `@unchecked Sendable`: other threads use libcurl's handle for curl_multi_wakeup only, which any thread may call.
final class TransferLoop: @unchecked Sendable {
    struct Job: Sendable {
        let id: UInt64
        let request: TransferRequest
        /// Whether it could not start at once.
        var isDelayed = false
        let completion: @Sendable (Result<TransferResponse, UpstreamError>) -> Void
    }

    private struct Inbox {
        var jobs: [Job] = []
        var cancellations: [UInt64] = []
        var isStopped = false
        var lastID: UInt64 = 0
    }

    private let inbox = Lock(Inbox())
    private let multi: UnsafeMutableRawPointer
    private let configuration: UnsplashClient.Configuration
    private let thread = Lock<SystemThread?>(nil)

    /// libcurl's own start-up, once in a process.
    private static let start: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    init(_ configuration: UnsplashClient.Configuration) {
        guard Self.start == CURLE_OK, let multi = curl_multi_init() else { fatalError("libcurl does not start") }
        self.multi = multi
        self.configuration = configuration
        // The thread retains the loop until it ends.
        guard let started = SystemThread(named: "transfers", { self.runTransfers() }) else {
            fatalError("no thread for transfers")
        }
        thread.withLock { $0 = started }
    }

    deinit {
        // The thread owned a reference, so it has ended, and no other thread can wake the handle.
        curl_multi_cleanup(multi)
    }

    /// Runs a transfer; ends with `.cancelled` as soon as the task is cancelled, and then calls its receiver no more.
    func run(_ request: TransferRequest) async throws(UpstreamError) -> TransferResponse {
        // Otherwise its transfer could begin before it is cancelled.
        if Task.isCancelled { throw .cancelled }
        let id = inbox.withLock { inbox in
            inbox.lastID += 1
            return inbox.lastID
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                submit(Job(id: id, request: request) { continuation.resume(returning: $0) })
                // The handler below may have run before the transfer was in the inbox.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try result.get()
    }

    /// Ends every transfer with `.cancelled`, then the thread; later transfers are cancelled at once.
    func stop() {
        inbox.withLock { $0.isStopped = true }
        curl_multi_wakeup(multi)
        thread.withLock { $0.take() }?.join()
    }

    private func submit(_ job: Job) {
        let isRefused = inbox.withLock { inbox in
            if !inbox.isStopped { inbox.jobs.append(job) }
            return inbox.isStopped
        }
        if isRefused { job.completion(.failure(.cancelled)) } else { curl_multi_wakeup(multi) }
    }

    private func cancel(_ id: UInt64) {
        // The scheduler ignores a transfer that it does not have yet or any more.
        inbox.withLock { $0.cancellations.append(id) }
        curl_multi_wakeup(multi)
    }

    /// The work of the thread.
    private func runTransfers() {
        let scheduler = TransferScheduler(configuration, multi: multi)
        while true {
            let arrived = inbox.withLock { inbox in
                defer { (inbox.jobs, inbox.cancellations) = ([], []) }
                return inbox
            }
            scheduler.waiting += arrived.jobs
            for id in arrived.cancellations { scheduler.cancel(id) }
            if arrived.isStopped { return scheduler.cancelAll() }
            scheduler.turn()
        }
    }
}

struct TransferRequest: Sendable {
    let address: WebAddress
    /// `Name: value` each.
    let fields: [String]
    let deadline: Instant
    /// Receives the content of a 200 while it arrives; nil to collect it.
    var receiver: (any PictureReceiver)?

    /// True for a transfer of an image, false for a call of the API.
    var isImage: Bool { receiver != nil }
}

package struct TransferTimeouts: Sendable {
    /// For the connection: name look-up, TCP, TLS.
    var connect = Duration.seconds(2)
    /// From the request to the first byte of the response.
    var firstByte = Duration.seconds(5)
    /// Between two bytes.
    var idle = Duration.seconds(5)
    /// From the start to the last byte.
    package var total = Duration.seconds(25)
}

struct TransferResponse: Sendable {
    var status: Int
    /// The fields by their lower-case names; the last of repeated ones, but all lines of `link`.
    var fields: [String: String]
    /// Empty if a receiver took it.
    var content: [UInt8]
    /// Holds the memory of the content; nil if none was collected.
    var memory: MemoryLease?
    /// The absolute target of a redirect.
    var redirect: String?
}

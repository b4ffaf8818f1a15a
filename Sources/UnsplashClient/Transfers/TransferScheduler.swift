import CCurl
import Glibc
import PhotoLibrary
import Primitives

/// The running transfers, and those that wait; only the thread of the loop uses it.
///
/// Calls of the API and of images have separate limits, so that slow images do not delay the API. libcurl may open as
/// many connections as transfers run, so none waits inside libcurl and the time-outs measure the library.
final class TransferScheduler {
    private let configuration: UnsplashClient.Configuration
    private let multi: UnsafeMutableRawPointer
    private var running: [UInt64: Transfer] = [:]
    private let connections = KeptConnections()
    /// In the order of their arrival.
    var waiting: [TransferLoop.Job] = []

    /// Calls of the API that run at once.
    private static let largestCalls = 16
    /// Images that run at once; over HTTP/2 one connection carries all of them.
    private static let largestImages = 24
    /// The longest sleep, which bounds the effect of a missed wake-up.
    private static let longestSleep = Duration.seconds(1)

    init(_ configuration: UnsplashClient.Configuration, multi: UnsafeMutableRawPointer) {
        self.configuration = configuration
        self.multi = multi
        springbar_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        springbar_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, Self.largestCalls + Self.largestImages)
        springbar_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.largestCalls + Self.largestImages)
    }

    func cancel(_ id: UInt64) {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting.remove(at: index).completion(.failure(.cancelled))
        } else {
            end(id, .failure(.cancelled))
        }
    }

    func cancelAll() {
        for id in waiting.map(\.id) + running.keys { cancel(id) }
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
        let deadline = (running.values.map(\.ends) + waiting.map(\.request.deadline)).min() ?? .now + Self.longestSleep
        let sleep = max(.zero, min(Self.longestSleep, deadline - .now))
        curl_multi_poll(multi, nil, 0, Int32(clamping: sleep.wholeMillisecondsRoundedUp), nil)
    }

    private func startWaiting() {
        var images = running.values.count { $0.job.request.isImage }
        var calls = running.count - images
        var delayed: [TransferLoop.Job] = []
        for var job in waiting {
            if job.request.isImage, images < Self.largestImages {
                images += 1
            } else if !job.request.isImage, calls < Self.largestCalls {
                calls += 1
            } else {
                job.isDelayed = true
                delayed.append(job)
                continue
            }
            let transfer = Transfer(job, configuration, connections)
            running[job.id] = transfer
            start(transfer)
        }
        waiting = delayed
    }

    private func start(_ transfer: Transfer) {
        // libcurl refuses a handle only if there is no memory.
        if curl_multi_add_handle(multi, transfer.easy) != CURLM_OK { end(transfer.job.id, .failure(.overloaded)) }
    }

    private func collectFinished() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let pointer = springbar_message_private(message) else {
                continue
            }
            // Set by `Transfer.configure`; `running` retains the transfer.
            let transfer = Unmanaged<Transfer>.fromOpaque(pointer).takeUnretainedValue()
            let result = springbar_message_result(message)
            guard transfer.needsNewConnection else {
                end(transfer.job.id, transfer.finish(result))
                continue
            }
            // libcurl has closed the connection.
            curl_multi_remove_handle(multi, transfer.easy)
            transfer.useNewConnection()
            start(transfer)
        }
    }

    private func stopOverdue(now: Instant) {
        // A job that waited here had less than its time: its end is not the fault of the library.
        for (id, transfer) in running where transfer.ends <= now {
            let waitedHere = transfer.job.isDelayed && transfer.phaseEnds > now
            end(id, .failure(waitedHere ? .overloaded : .timedOut))
        }
        waiting.removeAll { job in
            if job.request.deadline <= now { job.completion(.failure(.overloaded)) }
            return job.request.deadline <= now
        }
    }

    private func end(_ id: UInt64, _ result: Result<TransferResponse, UpstreamError>) {
        guard let transfer = running.removeValue(forKey: id) else { return }
        // Before the transfer frees the handle. This closes the connection of a transfer that has not ended.
        curl_multi_remove_handle(multi, transfer.easy)
        transfer.job.completion(result)
    }
}

/// The connections with HTTP/1.1 that libcurl keeps between two transfers; only the thread of the loop uses it.
///
/// Before a request, libcurl tells no descriptor of the chosen connection, but its local port.
final class KeptConnections {
    private var sockets: [Int: curl_socket_t] = [:]

    /// More than libcurl keeps; beyond it, those that libcurl has closed are removed.
    private static let mostSockets = 256

    /// Adds the connection of a transfer that has ended.
    func add(_ socket: curl_socket_t, localPort: Int) {
        if sockets.count >= Self.mostSockets { sockets = sockets.filter { Self.isOpen($0.value, localPort: $0.key) } }
        sockets[localPort] = socket
    }

    /// Removes a connection that is used again; returns whether it has unread bytes, or has been closed by the server.
    func takeUnread(localPort: Int) -> Bool {
        guard let socket = sockets.removeValue(forKey: localPort), Self.isOpen(socket, localPort: localPort) else {
            return false
        }
        var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) > 0
    }

    /// Whether the descriptor is still that of the connection.
    private static func isOpen(_ socket: curl_socket_t, localPort: Int) -> Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            // Any address begins as a `sockaddr`, and the system writes at most `length` bytes.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        guard code == 0 else { return false }
        // The port follows the family in the addresses of IPv4 and IPv6.
        let port = withUnsafeBytes(of: &address) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
        return Int(UInt16(bigEndian: port)) == localPort
    }
}

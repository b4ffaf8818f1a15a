import CCurl
import PhotoLibrary
import Primitives

/// A running transfer: its libcurl handle, its response so far, and its deadlines; only its thread uses it.
final class Transfer {
    let job: TransferLoop.Job
    let easy: UnsafeMutableRawPointer
    /// The deadline of the current phase: the first byte, then each next one.
    private(set) var phaseEnds: Instant
    private let configuration: UnsplashClient.Configuration
    private var request: TransferRequest { job.request }
    /// The lines of the request, which libcurl reads until the end.
    private var list: UnsafeMutablePointer<curl_slist>?
    private var fields: [String: String] = [:]
    private var fieldBytes = 0
    /// Whether the head of the final response has ended: later lines are trailer fields, which say nothing about it.
    private var isHeadComplete = false
    /// The collected content, and its memory, which its response holds.
    private var content: [UInt8] = []
    private let reservation = JointReservation(bytes: 0)
    private let memory: MemoryLease?
    private var capacity = 0
    private var received = 0
    private var hasBegun = false
    /// The reason for which the service ended it.
    private var failure: UpstreamError?
    /// The reason for which a socket was not opened.
    private var socketFailure: UpstreamError?
    /// The kept connections, of all transfers of the thread.
    private let connections: KeptConnections
    private var hasOpenedSocket = false
    /// Whether the kept connection that libcurl had chosen has unread bytes: the request was not sent.
    private(set) var needsNewConnection = false

    /// All the fields of a response together.
    private static let largestFields = 65_536

    init(_ job: TransferLoop.Job, _ configuration: UnsplashClient.Configuration, _ connections: KeptConnections) {
        // Fails only without memory.
        guard let easy = curl_easy_init() else { fatalError("libcurl has no memory for a transfer") }
        self.job = job
        self.easy = easy
        self.configuration = configuration
        self.connections = connections
        memory = reservation.lease(for: MemoryAccount(configuration.memory))
        phaseEnds = .now + configuration.timeouts.connect + configuration.timeouts.firstByte
        configure()
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(list)
    }

    /// The time at which it is ended if nothing arrives.
    var ends: Instant { min(request.deadline, phaseEnds) }

    private func configure() {
        set(CURLOPT_URL, request.address.text)
        set(CURLOPT_PROTOCOLS_STR, request.address.scheme)
        // Redirects are checked first. A proxy from the environment would bypass the check of addresses.
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_PROXY, "")
        // libcurl sends no signals; the loop's thread blocks SIGPIPE.
        set(CURLOPT_NOSIGNAL, 1)
        // Names are looked up on a thread of libcurl. Without this option, the end of a transfer during its look-up
        // waits for that thread and delays every other transfer.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        set(CURLOPT_PIPEWAIT, request.address.scheme == "https" ? 1 : 0)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        if let authorities = configuration.authorities { set(CURLOPT_CAINFO, authorities) }
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, configuration.timeouts.connect.wholeMillisecondsRoundedUp))
        if !request.isImage { set(CURLOPT_ACCEPT_ENCODING, "gzip") }
        for field in request.fields { list = curl_slist_append(list, field) }
        check(springbar_easy_set_list(easy, CURLOPT_HTTPHEADER, list), CURLOPT_HTTPHEADER)
        // Unretained: the scheduler keeps the transfer for as long as libcurl has the handle.
        let this = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA,
        ] {
            check(springbar_easy_set_pointer(easy, option, this), option)
        }
        setCallbacks()
    }

    private func set(_ option: CURLoption, _ value: Int) { check(springbar_easy_set_long(easy, option, value), option) }

    private func set(_ option: CURLoption, _ value: String) {
        check(springbar_easy_set_text(easy, option, value), option)
    }

    /// Fails loudly: an unknown option would be a missing limit.
    private func check(_ code: CURLcode, _ option: CURLoption) {
        let reason = String(cString: curl_easy_strerror(code))
        precondition(code == CURLE_OK, "libcurl refuses option \(option.rawValue): \(reason)")
    }

    // MARK: Callbacks of libcurl

    private func setCallbacks() {
        // For a line of the head and a part of the content, any other number than its length stops the transfer.
        let field = springbar_easy_set_receiver(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, transfer in
            guard let bytes, let transfer = Transfer.from(transfer) else { return 0 }
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer.receive(field: line) ? size * count : 0
        }
        check(field, CURLOPT_HEADERFUNCTION)
        let content = springbar_easy_set_receiver(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, transfer in
            guard let bytes, let transfer = Transfer.from(transfer) else { return 0 }
            let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return transfer.receive(content: part) ? size * count : 0
        }
        check(content, CURLOPT_WRITEFUNCTION)
        // The address is known, nothing has been sent yet.
        let socket = springbar_easy_set_opensocket(easy) { transfer, _, address in
            address.flatMap { Transfer.from(transfer)?.openSocket($0) } ?? -1
        }
        check(socket, CURLOPT_OPENSOCKETFUNCTION)
        // The connection is chosen, nothing of the request has been sent yet.
        let request = springbar_easy_set_prereq(easy) { transfer, _, _, _, localPort in
            let mayBegin = Transfer.from(transfer)?.mayBegin(localPort: Int(localPort)) ?? false
            return mayBegin ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
        check(request, CURLOPT_PREREQFUNCTION)
    }

    /// Whether the request may be sent on the chosen connection: a new one, or a kept one without unread bytes.
    ///
    /// Unread bytes would be taken for the response (RFC 9112, section 9.2): an extra response, the late end of one, the
    /// 408 of a balancer. libcurl before 8.1 uses such a connection.
    private func mayBegin(localPort: Int) -> Bool {
        needsNewConnection = !hasOpenedSocket && connections.takeUnread(localPort: localPort)
        return !needsNewConnection
    }

    /// Prepares a transfer that `needsNewConnection` for a second run.
    func useNewConnection() {
        needsNewConnection = false
        set(CURLOPT_FRESH_CONNECT, 1)
    }

    /// The transfer that `configure` gave to libcurl.
    private static func from(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
        pointer.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        // By offset and not as a `sockaddr`: libcurl keeps longer addresses in the same place.
        let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(address) + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 16),
            count: Int(address.pointee.addrlen)
        )
        guard configuration.policy.permits(bytes) else {
            socketFailure = request.isImage ? .imageRejected(.addressNotAllowed) : .failed(.addressNotAllowed)
            return -1
        }
        let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.pointee.family, type, address.pointee.protocol)
        hasOpenedSocket = true
        // The system has no descriptor.
        if descriptor < 0 { socketFailure = socketFailure ?? .overloaded }
        return descriptor
    }

    /// Handles a line of the head; false stops the transfer.
    private func receive(field line: UnsafeRawBufferPointer) -> Bool {
        extendDeadline()
        fieldBytes += line.count
        guard fieldBytes <= Transfer.largestFields else { return stop(.unusable("fields too large")) }
        // Trailer fields are not merged into the header (RFC 9110, section 6.5.1).
        if isHeadComplete { return true }
        if line.starts(with: "HTTP/".utf8) {
            // An interim response (100, 103) has its own head.
            fields = [:]
            return true
        }
        if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) { isHeadComplete = status >= 200 }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        // The line end belongs to the line.
        let value = line[(colon + 1)...].trimming { $0 == 0x20 || 0x09...0x0D ~= $0 }
        let text = String(decoding: value, as: UTF8.self)
        // Of the fields that are read, only Link is a list (RFC 9110, section 5.3).
        let before = name == "link" ? fields[name].map { $0 + ", " } : nil
        fields[name] = (before ?? "") + text
        return true
    }

    /// Handles received content; false stops the transfer.
    private func receive(content bytes: UnsafeRawBufferPointer) -> Bool {
        extendDeadline()
        received += bytes.count
        guard received <= largestContent else { return stop(tooLarge) }
        do {
            if let receiver = request.receiver, status == 200 {
                try begin(receiver)
                try receiver.receive(bytes)
            } else {
                try collect(bytes)
            }
            return true
        } catch {
            return stop(error)
        }
    }

    /// Appends content, for which memory is reserved first; throws `overloaded` if it does not fit into the budget.
    private func collect(_ bytes: UnsafeRawBufferPointer) throws(UpstreamError) {
        let count = content.count + bytes.count
        if count > capacity {
            // Twice as much each time, as an array grows.
            capacity = max(count, 2 * capacity, 16_384)
            guard memory != nil, reservation.resize(to: capacity) else { throw .overloaded }
            content.reserveCapacity(capacity)
        }
        content.append(contentsOf: bytes)
    }

    private func extendDeadline() {
        phaseEnds = .now + configuration.timeouts.idle
    }

    private func stop(_ error: UpstreamError) -> Bool {
        failure = error
        return false
    }

    // MARK: The response

    /// The result, after libcurl has ended the transfer.
    func finish(_ code: CURLcode) -> Result<TransferResponse, UpstreamError> {
        if let failure { return .failure(failure) }
        keepConnection()
        guard code == CURLE_OK else { return .failure(error(code)) }
        if let receiver = request.receiver, status == 200 {
            do { try begin(receiver) } catch { return .failure(error) }
        }
        var redirect: UnsafeMutablePointer<CChar>?
        springbar_easy_get_text(easy, CURLINFO_REDIRECT_URL, &redirect)
        let target = redirect.map { String(cString: $0) }
        return .success(
            TransferResponse(status: status, fields: fields, content: content, memory: memory, redirect: target)
        )
    }

    /// In bytes, decompressed.
    private var largestContent: Int { request.isImage ? configuration.largestPicture : configuration.largestAnswer }

    private var status: Int { number(CURLINFO_RESPONSE_CODE) }

    private func number(_ info: CURLINFO) -> Int {
        var number = 0
        springbar_easy_get_long(easy, info, &number)
        return number
    }

    /// Lets the next transfer on the connection check it; not with HTTP/2, which has bytes of its own between responses.
    private func keepConnection() {
        var socket: curl_socket_t = -1
        let version = number(CURLINFO_HTTP_VERSION)
        guard springbar_easy_get_socket(easy, &socket) == CURLE_OK, socket >= 0, version < Int(CURL_HTTP_VERSION_2_0)
        else { return }
        connections.add(socket, localPort: number(CURLINFO_LOCAL_PORT))
    }

    private func begin(_ receiver: any PictureReceiver) throws(UpstreamError) {
        guard !hasBegun else { return }
        hasBegun = true
        // Of chunked content, a length says nothing (RFC 9112, section 6.3).
        let length = fields["transfer-encoding"] == nil ? fields["content-length"].flatMap { Int($0) } : nil
        if let length, length > largestContent { throw tooLarge }
        try receiver.begin(length: length)
    }

    private var tooLarge: UpstreamError {
        request.isImage ? .imageRejected(.tooLarge(limit: largestContent)) : .unusable("content too large")
    }

    private func error(_ code: CURLcode) -> UpstreamError {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: socketFailure ?? .failed(.unreachable)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM:
            .failed(.tls)
        case CURLE_PARTIAL_FILE: .invalid("truncated")
        case CURLE_BAD_CONTENT_ENCODING: .invalid("broken compression")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: .invalid("not HTTP")
        case CURLE_URL_MALFORMAT: .unusable("address")
        default: .failed(.connectionLost)
        }
    }
}

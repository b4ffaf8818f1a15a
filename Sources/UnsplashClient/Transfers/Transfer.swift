import CCurl
import PhotoFeed
import Primitives

/// A running transfer: its handle, its response so far, and its deadlines; only its thread uses it.
final class Transfer {
    let id: UInt64
    private let request: TransferRequest
    private let policy: AddressPolicy
    private var handle = EasyHandle()
    private var fields: [String: String] = [:]
    private var fieldBytes = 0
    private let content: TransferContent
    private var received = 0
    private var hasBegun = false
    /// The reason for which the service ended it.
    private var failure: UpstreamError?
    private var refusedAddress = false
    /// Whether the system had no descriptor for a socket.
    var lacksDescriptor = false
    private let deadline: Instant
    /// The deadline of the current phase: the first byte, then each next one.
    private var phaseEnds: Instant

    /// All the fields of a response together.
    private static let largestFields = 65_536

    init(id: UInt64, request: TransferRequest, policy: AddressPolicy, deadline: Instant) {
        self.id = id
        self.request = request
        self.policy = policy
        self.deadline = deadline
        content = TransferContent(chargedTo: request.memory)
        phaseEnds = .now + request.timeouts.connect + request.timeouts.firstByte
        configure()
    }

    deinit {
        handle.free()
    }

    var easy: UnsafeMutableRawPointer { handle.pointer }

    /// The time at which it is ended if nothing arrives.
    var ends: Instant { min(deadline, phaseEnds) }

    /// Whether the library has used up the time of the current phase.
    func isPhaseOver(at now: Instant) -> Bool { phaseEnds <= now }

    private func configure() {
        // Unretained: the loop keeps the transfer for as long as libcurl has the handle.
        let this = Unmanaged.passUnretained(self).toOpaque()
        handle.set(CURLOPT_URL, request.address.text)
        handle.set(CURLOPT_PRIVATE, this)
        handle.set(CURLOPT_PROTOCOLS_STR, request.address.scheme)
        // Redirects are checked first. A proxy from the environment would bypass the check of addresses.
        handle.set(CURLOPT_FOLLOWLOCATION, 0)
        handle.set(CURLOPT_PROXY, "")
        // libcurl sends no signals; the loop's thread blocks SIGPIPE.
        handle.set(CURLOPT_NOSIGNAL, 1)
        // Names are looked up on a thread of libcurl. Without this option, the end of a transfer during its look-up
        // waits for that thread and delays every other transfer.
        handle.set(CURLOPT_QUICK_EXIT, 1)
        handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        handle.set(CURLOPT_PIPEWAIT, request.address.scheme == "https" ? 1 : 0)
        handle.set(CURLOPT_SSL_VERIFYPEER, 1)
        handle.set(CURLOPT_SSL_VERIFYHOST, 2)
        if let authorities = request.authorities { handle.set(CURLOPT_CAINFO, authorities) }
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, request.timeouts.connect.wholeMillisecondsRoundedUp))
        if request.isCompressible { handle.set(CURLOPT_ACCEPT_ENCODING, "gzip") }
        handle.setFields(request.fields)
        handle.set(CURLOPT_HEADERFUNCTION, TransferCallbacks.field)
        handle.set(CURLOPT_HEADERDATA, this)
        handle.set(CURLOPT_WRITEFUNCTION, TransferCallbacks.content)
        handle.set(CURLOPT_WRITEDATA, this)
        springbar_easy_set_opensocket(handle.pointer, TransferCallbacks.openSocket)
        handle.set(CURLOPT_OPENSOCKETDATA, this)
    }

    // MARK: Callbacks of libcurl

    /// Whether a socket to this address may be opened.
    func permits(_ socketAddress: UnsafeRawBufferPointer) -> Bool {
        let isPermitted = policy.permits(socketAddress)
        if !isPermitted { refusedAddress = true }
        return isPermitted
    }

    /// Handles a line of the head; false stops the transfer.
    func receive(field line: UnsafeRawBufferPointer) -> Bool {
        moveOn()
        fieldBytes += line.count
        guard fieldBytes <= Transfer.largestFields else { return stop(.unusable("fields too large")) }
        if line.starts(with: "HTTP/".utf8) {
            // An interim response (100, 103) has its own head.
            fields = [:]
            return true
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        // The line end belongs to the line.
        let value = line[(colon + 1)...].trimming { $0 == 0x20 || 0x09...0x0D ~= $0 }
        fields[name] = String(decoding: value, as: UTF8.self)
        return true
    }

    /// Handles received content; false stops the transfer.
    func receive(content bytes: UnsafeRawBufferPointer) -> Bool {
        moveOn()
        received += bytes.count
        let limit = request.largestContent
        guard received <= limit else { return stop(tooLarge(limit)) }
        do {
            if let receiver = request.receiver, status == 200 {
                try begin(receiver)
                try receiver.receive(bytes)
            } else {
                try content.append(bytes)
            }
            return true
        } catch {
            return stop(error)
        }
    }

    /// The result, after libcurl has ended the transfer.
    func finish(_ code: CURLcode) -> Result<TransferResponse, UpstreamError> {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK else { return .failure(error(code)) }
        if let receiver = request.receiver, status == 200 {
            do {
                try begin(receiver)
            } catch {
                return .failure(error)
            }
        }
        let redirect = handle.text(CURLINFO_REDIRECT_URL)
        return .success(TransferResponse(status: status, fields: fields, content: content, redirect: redirect))
    }

    private var status: Int { handle.long(CURLINFO_RESPONSE_CODE) }

    private func begin(_ receiver: any PictureReceiver) throws(UpstreamError) {
        guard !hasBegun else { return }
        hasBegun = true
        // To libcurl a trailer is a field, but only the length in the head is checked.
        let length = fields["content-length"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
        if let length, length > request.largestContent { throw tooLarge(request.largestContent) }
        try receiver.begin(length: length)
    }

    private func tooLarge(_ limit: Int) -> UpstreamError {
        request.receiver == nil ? .unusable("content too large") : .imageRejected(.tooLarge(limit: limit))
    }

    private func moveOn() {
        phaseEnds = .now + request.timeouts.idle
    }

    private func stop(_ error: UpstreamError) -> Bool {
        failure = error
        return false
    }

    private func error(_ code: CURLcode) -> UpstreamError {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY:
            refusedAddress
                ? .imageRejected(.addressNotAllowed) : lacksDescriptor ? .overloaded : .failed(.unreachable)
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

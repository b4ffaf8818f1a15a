import CCurl
import Glibc

/// The handle of a libcurl transfer, used only on the thread of the transfers.
struct EasyHandle {
    let pointer: UnsafeMutableRawPointer
    private var list: UnsafeMutablePointer<curl_slist>?

    init() {
        // Fails only without memory.
        guard let pointer = curl_easy_init() else { fatalError("libcurl has no memory for a transfer") }
        self.pointer = pointer
    }

    func set(_ option: CURLoption, _ value: Int) {
        check(springbar_easy_set_long(pointer, option, value), option)
    }

    func set(_ option: CURLoption, _ value: String) {
        check(springbar_easy_set_text(pointer, option, value), option)
    }

    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer) {
        check(springbar_easy_set_pointer(pointer, option, value), option)
    }

    func set(_ option: CURLoption, _ receiver: TransferCallbacks.Receiver) {
        check(springbar_easy_set_receiver(pointer, option, receiver), option)
    }

    mutating func setFields(_ fields: [String]) {
        for field in fields { list = curl_slist_append(list, field) }
        check(springbar_easy_set_list(pointer, CURLOPT_HTTPHEADER, list), CURLOPT_HTTPHEADER)
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        springbar_easy_get_long(pointer, info, &value)
        return value
    }

    func text(_ info: CURLINFO) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        springbar_easy_get_text(pointer, info, &value)
        return value.map { String(cString: $0) }
    }

    /// Frees the handle, which must not be used afterwards.
    func free() {
        curl_easy_cleanup(pointer)
        curl_slist_free_all(list)
    }

    /// Fails loudly: an unknown option would be a missing limit.
    private func check(_ code: CURLcode, _ option: CURLoption) {
        let reason = String(cString: curl_easy_strerror(code))
        precondition(code == CURLE_OK, "libcurl refuses option \(option.rawValue): \(reason)")
    }
}

/// The callbacks of libcurl, on the thread of the transfers; each gets its `Transfer`, which the scheduler retains.
enum TransferCallbacks {
    typealias Receiver = @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int
    typealias OpenSocket =
        @convention(c) (
            UnsafeMutableRawPointer?, curlsocktype, UnsafeMutablePointer<curl_sockaddr>?
        ) -> curl_socket_t

    /// CURLOPT_HEADERFUNCTION: one line of the head; any other number than its length stops the transfer.
    static let field: Receiver = { bytes, size, count, transfer in
        guard let bytes, let transfer else { return 0 }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return TransferCallbacks.transfer(transfer).receive(field: line) ? size * count : 0
    }

    /// CURLOPT_WRITEFUNCTION: a part of the content.
    static let content: Receiver = { bytes, size, count, transfer in
        guard let bytes, let transfer else { return 0 }
        let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return TransferCallbacks.transfer(transfer).receive(content: part) ? size * count : 0
    }

    /// CURLOPT_OPENSOCKETFUNCTION: the address is known, nothing has been sent yet.
    static let openSocket: OpenSocket = { transfer, purpose, address in
        guard let transfer, let address else { return curl_socket_t(-1) }
        // By offset and not as a `sockaddr`: libcurl keeps longer addresses in the same place.
        let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(address) + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 16),
            count: Int(address.pointee.addrlen)
        )
        guard TransferCallbacks.transfer(transfer).permits(bytes) else { return curl_socket_t(-1) }
        let descriptor = socket(
            address.pointee.family,
            address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            address.pointee.protocol
        )
        if descriptor < 0 { TransferCallbacks.transfer(transfer).lacksDescriptor = true }
        return descriptor
    }

    private static func transfer(_ pointer: UnsafeMutableRawPointer) -> Transfer {
        // Put there by `Transfer.configure`, for its own handle.
        Unmanaged<Transfer>.fromOpaque(pointer).takeUnretainedValue()
    }
}

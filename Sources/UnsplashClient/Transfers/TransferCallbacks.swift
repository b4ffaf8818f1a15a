import CCurl
import Glibc

/// The callbacks of libcurl, on the thread of the transfers; each gets its `Transfer`, which the engine retains.
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
        return TransferCallbacks.transfer(transfer).take(field: line) ? size * count : 0
    }

    /// CURLOPT_WRITEFUNCTION: a part of the content.
    static let content: Receiver = { bytes, size, count, transfer in
        guard let bytes, let transfer else { return 0 }
        let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return TransferCallbacks.transfer(transfer).take(content: part) ? size * count : 0
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
        if descriptor < 0 { TransferCallbacks.transfer(transfer).noteMissingDescriptor() }
        return descriptor
    }

    private static func transfer(_ pointer: UnsafeMutableRawPointer) -> Transfer {
        // Put there by `Transfer.configure`, for its own handle.
        Unmanaged<Transfer>.fromOpaque(pointer).takeUnretainedValue()
    }
}

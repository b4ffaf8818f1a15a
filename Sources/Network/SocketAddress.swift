package import Glibc
import Primitives

/// The address of a socket as the system calls take it.
package struct SocketAddress: Sendable, Equatable {
    package let family: Int32
    /// A `sockaddr` of this family.
    private let bytes: [UInt8]

    private init(family: Int32, bytes: UnsafeRawBufferPointer) {
        self.family = family
        self.bytes = Array(bytes)
    }

    /// Creates the address of a Unix socket; nil if the path does not fit.
    package init?(path: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isWritten = withUnsafeMutableBytes(of: &address.sun_path) { field in
            guard path.utf8.count < field.count else { return false }
            field.copyBytes(from: path.utf8)
            return true
        }
        guard isWritten else { return nil }
        self = withUnsafeBytes(of: address) { SocketAddress(family: AF_UNIX, bytes: $0) }
    }

    /// Passes the address to a system call.
    package func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        bytes.withUnsafeBytes { buffer in
            withUnsafeTemporaryAllocation(of: sockaddr_storage.self, capacity: 1) { storage in
                let copy = UnsafeMutableRawBufferPointer(storage)
                copy.copyBytes(from: buffer.prefix(copy.count))
                // The storage is large enough and aligned for every family; it has one element.
                let pointer = UnsafeRawPointer(copy.baseAddress!).assumingMemoryBound(to: sockaddr.self)
                return body(pointer, socklen_t(min(buffer.count, copy.count)))
            }
        }
    }

    /// Returns the addresses of a name, or with `isNumeric` of an IP address, which does not block; none if it has
    /// none.
    package static func lookUp(_ host: String, port: UInt16, isNumeric: Bool) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (isNumeric ? AI_NUMERICHOST : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            let bytes = UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
            addresses.append(SocketAddress(family: entry.ai_family, bytes: bytes))
            next = entry.ai_next
        }
        return addresses
    }

    /// Looks a name up on a separate thread, on which `done` runs: getaddrinfo(3) may block for seconds.
    package static func lookUp(_ host: String, port: UInt16, _ done: @escaping @Sendable ([SocketAddress]) -> Void) {
        let thread = SystemThread(named: "look-up") { done(lookUp(host, port: port, isNumeric: false)) }
        // Without a thread the name counts as unknown; the connection tries again later.
        if let thread { thread.detach() } else { done([]) }
    }

    /// Returns the port of a bound socket; nil for another kind of descriptor.
    package static func port(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        // The port is at the same offset in both kinds of address.
        return withUnsafeBytes(of: storage) { Int(UInt16(bigEndian: $0.load(as: sockaddr_in.self).sin_port)) }
    }
}

extension IPAddress {
    /// The address in a `sockaddr`, without its port; nil for another family.
    package init?(_ address: UnsafePointer<sockaddr>) {
        let isV6 = Int32(address.pointee.sa_family) == AF_INET6
        let length = isV6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
        self.init(socketAddress: UnsafeRawBufferPointer(start: address, count: length))
    }
}

import CMicroHTTPD
import Glibc
import HTTPExchange

/// An IPv4 or IPv6 address with a port, as the system's calls take it.
struct SocketAddress {
    private var storage: sockaddr_storage
    private let length: socklen_t

    var family: Int32 { Int32(storage.ss_family) }

    /// The address that an IPv4 or IPv6 literal spells; nil for anything else.
    ///
    /// Names are not looked up: that would block, and a server should not listen where a resolver says.
    init?(host: String, port: UInt16) {
        storage = sockaddr_storage()
        var v4 = sockaddr_in()
        var v6 = sockaddr_in6()
        if inet_pton(AF_INET, host, &v4.sin_addr) == 1 {
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v4, as: sockaddr_in.self) }
        } else if inet_pton(AF_INET6, host, &v6.sin6_addr) == 1 {
            v6.sin6_family = sa_family_t(AF_INET6)
            v6.sin6_port = port.bigEndian
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: v6, as: sockaddr_in6.self) }
        } else {
            return nil
        }
    }

    /// Gives the address and its length to a call of the system.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// The port that a bound socket has; nil for another kind of descriptor.
    static func port(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        // The port stands at the same place in both kinds of address.
        return withUnsafeBytes(of: storage) { Int(UInt16(bigEndian: $0.load(as: sockaddr_in.self).sin_port)) }
    }

    /// An address without its port; nil for another family.
    static func address(of address: UnsafePointer<sockaddr>) -> IPAddress? {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            return IPAddress(v4: UInt32(bigEndian: raw.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6:
            let bytes = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return withUnsafeBytes(of: bytes) { IPAddress(v6: UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self))) }
        default:
            return nil
        }
    }

    /// The text of an address without its port, such as `127.0.0.1` or `::1`; an IPv4 address that came through an IPv6
    /// socket (`::ffff:127.0.0.1`) is written as IPv4, so that it reads the same however the server listens.
    static func host(of address: UnsafePointer<sockaddr>) -> String {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            var v4 = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return text(AF_INET, &v4)
        case AF_INET6:
            var v6 = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            let text = text(AF_INET6, &v6)
            let mapped = "::ffff:"
            return text.hasPrefix(mapped) && text.contains(".") ? String(text.dropFirst(mapped.count)) : text
        default:
            return ""
        }
    }

    private static func text(_ family: Int32, _ address: UnsafeRawPointer) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard inet_ntop(family, address, buffer.baseAddress, socklen_t(buffer.count)) != nil,
                let start = buffer.baseAddress
            else { return "" }
            return String(cString: start)
        }
    }
}

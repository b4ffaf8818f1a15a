import CCurl
import Glibc

/// Which addresses a transfer may connect to.
///
/// A host name from an allow-list may still resolve to an address inside our own network, by mistake or on purpose, and
/// answer differently the second time. So the address itself is checked, where the socket is made.
struct AddressPolicy: Sendable {
    /// Allows 127.0.0.0/8 and ::1: when the library itself was configured to be there.
    var allowsLoopback: Bool

    /// Whether the address in a `sockaddr` may be connected to.
    func permits(_ socketAddress: UnsafeRawBufferPointer) -> Bool {
        guard socketAddress.count >= MemoryLayout<sockaddr>.size else { return false }
        switch Int32(socketAddress.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET:
            // sockaddr_in: family (2), port (2), address (4).
            return permits(.v4(Array(socketAddress[4..<8])))
        case AF_INET6 where socketAddress.count >= MemoryLayout<sockaddr_in6>.size:
            // sockaddr_in6: family (2), port (2), flow (4), address (16).
            return permits(.v6(Array(socketAddress[8..<24])))
        default:
            return false
        }
    }

    func permits(_ address: IPAddress) -> Bool {
        switch address.reach {
        case .global: true
        case .loopback: allowsLoopback
        case .local: false
        }
    }
}

/// An address as bytes, in network order.
enum IPAddress: Sendable, Equatable {
    case v4([UInt8])
    case v6([UInt8])

    /// How far an address reaches.
    enum Reach: Sendable {
        case global
        case loopback
        /// Private, link-local, shared, multicast, reserved, or for documents.
        case local
    }

    /// IANA's special-purpose registries (RFC 6890 and what it was updated by).
    ///
    /// An address that carries an IPv4 address reaches where that one does.
    var reach: Reach {
        switch self {
        case .v4(let bytes): IPAddress.reach(v4: bytes)
        case .v6(let bytes): IPAddress.reach(v6: bytes)
        }
    }

    private static func reach(v4 bytes: [UInt8]) -> Reach {
        switch (bytes[0], bytes[1], bytes[2]) {
        case (127, _, _): .loopback
        case (0, _, _), (10, _, _), (224..., _, _): .local
        // Carrier-grade NAT.
        case (100, 64...127, _): .local
        case (169, 254, _), (172, 16...31, _), (192, 168, _): .local
        // Protocol assignments, documents, 6to4 relays, benchmarks.
        case (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 18...19, _), (198, 51, 100), (203, 0, 113): .local
        default: .global
        }
    }

    private static func reach(v6 bytes: [UInt8]) -> Reach {
        if bytes.prefix(15).allSatisfy({ $0 == 0 }) { return bytes[15] == 1 ? .loopback : .local }
        // IPv4-mapped: ::ffff:0:0/96.
        if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xff, bytes[11] == 0xff {
            return reach(v4: Array(bytes[12...]))
        }
        // NAT64 with the well-known prefix: 64:ff9b::/96.
        if bytes.starts(with: [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]) { return embedded(bytes[12...]) }
        // Only 2000::/3 is given out for the open net: IPv4-compatible, unique local, link-local, site-local, multicast
        // and NAT64's local prefix lie outside of it.
        guard bytes[0] & 0xe0 == 0x20 else { return .local }
        // 6to4: 2002::/16 with the IPv4 address behind it.
        if bytes.starts(with: [0x20, 0x02]) { return embedded(bytes[2..<6]) }
        // Teredo and the other protocol assignments of 2001::/23, documents, 3fff::/20.
        if bytes.starts(with: [0x20, 0x01]), bytes[2] < 2 { return .local }
        if bytes.starts(with: [0x20, 0x01, 0x0d, 0xb8]) { return .local }
        if bytes.starts(with: [0x3f, 0xff]), bytes[2] < 0x10 { return .local }
        // ISATAP: an interface identifier of 0:5efe or 200:5efe and an IPv4 address.
        if bytes[8] & 0xfd == 0, bytes[9] == 0, bytes[10] == 0x5e, bytes[11] == 0xfe { return embedded(bytes[12...]) }
        return .global
    }

    /// A loopback address inside another one is a way around a rule, not a way to ourselves.
    private static func embedded(_ bytes: ArraySlice<UInt8>) -> Reach {
        reach(v4: Array(bytes)) == .global ? .global : .local
    }
}

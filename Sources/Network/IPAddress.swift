import Glibc
package import Primitives

/// An IPv4 or IPv6 address; one that is mapped into IPv6 (RFC 4291, section 2.5.5.2) is the IPv4 address.
package struct IPAddress: Sendable, Hashable {
    /// 128 bits for IPv6; the lower 32 of them for IPv4.
    package let bits: UInt128
    /// Whether the address is IPv4.
    package let isV4: Bool

    /// The number of bits of an address of this family.
    package var width: Int { isV4 ? 32 : 128 }

    private init(bits: UInt128, isV4: Bool) {
        self.bits = bits
        self.isV4 = isV4
    }

    /// Creates an IPv4 address from its 32 bits.
    package init(v4 number: UInt32) {
        self.init(bits: UInt128(number), isV4: true)
    }

    /// Creates an IPv6 address from its 128 bits, or the IPv4 address that is mapped into it.
    package init(v6 number: UInt128) {
        let isMapped = number >> 32 == 0xFFFF
        self.init(bits: isMapped ? number & 0xFFFF_FFFF : number, isV4: isMapped)
    }

    /// Parses `192.0.2.1` or `2001:db8::1` (RFC 4291, section 2.2); nil for anything else, a zone (`%eth0`) included.
    package init?(_ text: some StringProtocol) {
        // inet_pton(3) stops at a zero byte.
        guard text.utf8.count < Int(INET6_ADDRSTRLEN), !text.utf8.contains(0) else { return nil }
        let text = String(text)
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4: UInt32(bigEndian: v4.s_addr))
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(v6)
        } else {
            return nil
        }
    }

    /// Reads the address in a `sockaddr`; nil for another family, or if the bytes end before the address does.
    package init?(socketAddress bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
        switch Int32(bytes.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
            self.init(v4: UInt32(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
            self.init(bytes.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default:
            return nil
        }
    }

    private init(_ address: in6_addr) {
        self.init(v6: withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) })
    }

    /// Returns the address with every bit after the prefix set to 0.
    package func network(prefixLength: Int) -> IPAddress {
        let hostBits = width - prefixLength
        return IPAddress(bits: (bits >> hostBits) << hostBits, isV4: isV4)
    }

    /// Whether this is an address of the machine itself: 127.0.0.0/8 or `::1`.
    package var isLoopback: Bool { isV4 ? bits >> 24 == 127 : bits == 1 }
}

extension IPAddress: CustomStringConvertible {
    /// The text of the address as inet_ntop(3) writes it, which is that of RFC 5952, section 4.
    package var description: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            let capacity = socklen_t(text.count)
            let result =
                if isV4 {
                    withUnsafeBytes(of: UInt32(truncatingIfNeeded: bits).bigEndian) {
                        inet_ntop(AF_INET, $0.baseAddress, text.baseAddress, capacity)
                    }
                } else {
                    withUnsafeBytes(of: bits.bigEndian) {
                        inet_ntop(AF_INET6, $0.baseAddress, text.baseAddress, capacity)
                    }
                }
            // The call fails only for another family or too little room.
            return result.map { String(cString: $0) } ?? ""
        }
    }
}

extension ClientKey {
    /// An IPv4 address takes the place of a network in `0:1::/32`, which is reserved (RFC 4291, section 2.4).
    package init(_ address: IPAddress) {
        self.init(bits: UInt64(truncatingIfNeeded: address.isV4 ? 1 << 32 | address.bits : address.bits >> 64))
    }

    /// Parses the text of an address; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard let address = IPAddress(text) else { return nil }
        self.init(address)
    }
}

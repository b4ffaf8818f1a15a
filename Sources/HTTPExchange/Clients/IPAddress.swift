/// An IPv4 or IPv6 address.
///
/// An IPv4 address that is mapped into IPv6 (`::ffff:192.0.2.1`, RFC 4291, section 2.5.5.2), as a socket for both
/// families reports it, is the IPv4 address.
package struct IPAddress: Sendable, Hashable {
    /// Of 128 bits for IPv6, the lower 32 of them for IPv4.
    let bits: UInt128
    package let isV4: Bool

    /// The number of bits of an address of this family.
    var width: Int { isV4 ? 32 : 128 }

    init(bits: UInt128, isV4: Bool) {
        self.bits = bits
        self.isV4 = isV4
    }

    /// The IPv4 address of 32 bits.
    package init(v4 number: UInt32) {
        self.init(bits: UInt128(number), isV4: true)
    }

    /// The IPv6 address of 128 bits, or the IPv4 address that is mapped into it.
    package init(v6 number: UInt128) {
        let isMapped = number >> 32 == 0xFFFF
        self.init(bits: isMapped ? number & 0xFFFF_FFFF : number, isV4: isMapped)
    }

    /// Reads `192.0.2.1` or `2001:db8::1` (RFC 4291, section 2.2); nil for anything else, a zone (`%eth0`) included.
    package init?(_ text: some StringProtocol) {
        if let number = IPAddress.v4(text.utf8) {
            self.init(bits: UInt128(number), isV4: true)
        } else if let number = IPAddress.v6(Substring(text)) {
            self.init(v6: number)
        } else {
            return nil
        }
    }

    /// The address with every bit behind the prefix 0.
    func network(prefixLength: Int) -> IPAddress {
        let hostBits = width - prefixLength
        return IPAddress(bits: (bits >> hostBits) << hostBits, isV4: isV4)
    }

    /// Four numbers from 0 to 255 without leading zeros: `010` is 8 to some and 10 to others.
    private static func v4(_ text: some Collection<UInt8>) -> UInt32? {
        var address: UInt32 = 0
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        for part in parts {
            guard let number = number(part, radix: 10, digits: 3), number <= 255,
                part.count == 1 || part.first != UInt8(ascii: "0")
            else { return nil }
            address = address << 8 | number
        }
        return address
    }

    /// Eight groups; `::` once for as many groups of 0 as are missing, at least one; the last two may be an IPv4.
    private static func v6(_ text: Substring) -> UInt128? {
        guard text.utf8.count <= 45 else { return nil }
        let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false)
        guard halves.count <= 2, let head = groups(halves[0], isLast: halves.count == 1) else { return nil }
        guard halves.count == 2 else { return head.count == 8 ? joined(head) : nil }
        guard let tail = groups(halves[1], isLast: true), head.count + tail.count <= 7 else { return nil }
        return joined(head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail)
    }

    private static func groups(_ text: Substring, isLast: Bool) -> [UInt32]? {
        if text.isEmpty { return [] }
        var groups: [UInt32] = []
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if let group = number(part, radix: 16, digits: 4) {
                groups.append(group)
            } else if isLast, index == parts.count - 1, let embedded = v4(part) {
                groups += [embedded >> 16, embedded & 0xFFFF]
            } else {
                return nil
            }
        }
        return groups
    }

    private static func joined(_ groups: [UInt32]) -> UInt128 {
        groups.reduce(0) { $0 << 16 | UInt128($1) }
    }

    /// A number of 1 to `digits` digits, with no sign.
    private static func number(_ text: some Collection<UInt8>, radix: UInt32, digits: Int) -> UInt32? {
        guard 1...digits ~= text.count else { return nil }
        var value: UInt32 = 0
        for byte in text {
            guard let digit = PercentEncoding.hexValue(byte), digit < radix else { return nil }
            value = value * radix + UInt32(digit)
        }
        return value
    }
}

extension IPAddress: CustomStringConvertible {
    /// The one text of an address: for IPv6 lower case, no leading zeros, the first longest run of zeros as `::`
    /// (RFC 5952, section 4).
    package var description: String {
        if isV4 { return (0..<4).map { String((bits >> (24 - 8 * $0)) & 0xFF) }.joined(separator: ".") }
        let groups = (0..<8).map { UInt32(truncatingIfNeeded: (bits >> (112 - 16 * $0)) & 0xFFFF) }
        var longest = 0..<0
        var start = 0
        for index in groups.indices {
            if groups[index] != 0 { start = index + 1 }
            if index + 1 - start > longest.count { longest = start..<index + 1 }
        }
        func text(_ part: ArraySlice<UInt32>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        // A single group of 0 is written out (section 4.2.2).
        if longest.count < 2 { return text(groups[...]) }
        return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
    }
}

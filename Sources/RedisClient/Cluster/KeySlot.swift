/// The slots of a cluster: each key is in one, and each slot is on one server (Redis Cluster Specification, "Key
/// distribution model").
enum KeySlot {
    static let count = 16_384

    /// Returns the slot of a key: the CRC16 of the key, or of the part between its first braces.
    static func slot(of key: String) -> UInt16 {
        var key = key
        return key.withUTF8 { slot($0) }
    }

    private static func slot(_ key: UnsafeBufferPointer<UInt8>) -> UInt16 {
        var hashed = key[...]
        if let open = key.firstIndex(of: UInt8(ascii: "{")),
            let close = key[(open + 1)...].firstIndex(of: UInt8(ascii: "}")), close > open + 1
        {
            hashed = key[(open + 1)..<close]
        }
        return crc16(hashed) % UInt16(count)
    }

    /// Returns the CRC16 with the polynomial 0x1021 and the start 0 (the specification's appendix A).
    private static func crc16(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt16 {
        var sum: UInt16 = 0
        for byte in bytes { sum = sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 8) ^ byte)] }
        return sum
    }

    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
    }
}

import Primitives
import Testing

@Suite("SipHash")
struct SipHashTests {
    /// The first entries of the table in the reference implementation's `vectors.h`: key 00…0f, input 00, 01, ….
    @Test("another key makes other values")
    func keys() {
        var standard = SipHash(key: 0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908)
        standard.combine([0])
        #expect(standard.finalized() == 0x74f8_39c5_93dc_67fd)
        var low = SipHash(key: 1, 0)
        low.combine([0])
        var high = SipHash(key: 0, 1)
        high.combine([0])
        #expect(low.finalized() != high.finalized())
        #expect(low.finalized() != standard.finalized())
    }

    @Test(
        "has the values of the reference implementation, for bytes in one or several parts",
        arguments: [
            (0, 0x726f_db47_dd0e_0e31 as UInt64), (1, 0x74f8_39c5_93dc_67fd), (8, 0x93f5_f579_9a93_2462),
            (15, 0xa129_ca61_49be_45e5),
        ]
    )
    func sipHash(length: Int, expected: UInt64) {
        let bytes = (0..<length).map(UInt8.init)
        var bytewise = SipHash()
        bytewise.combine(bytes)
        #expect(bytewise.finalized() == expected)
        var split = SipHash()
        split.combine(bytes.prefix(3))
        Array(bytes.dropFirst(3)).withUnsafeBytes { split.combine($0) }
        #expect(split.finalized() == expected)
        #expect(SipHash.hash(bytes) == expected)
    }
}

import Primitives
import Testing

@Suite("SipHash")
struct SipHashTests {
    @Test("another key makes other values")
    func keys() {
        let hashes = [(0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908), (1, 0), (0, 1)].map { (key: SipHash.Key) in
            [UInt8(0)].withUnsafeBytes { SipHash.hash($0, key: key) }
        }
        #expect(hashes[0] == 0x74f8_39c5_93dc_67fd)
        #expect(Set(hashes).count == 3)
    }

    /// The first entries of the table in the reference implementation's `vectors.h`: key 00…0f, input 00, 01, ….
    @Test(
        "has the values of the reference implementation",
        arguments: [
            (0, 0x726f_db47_dd0e_0e31 as UInt64), (1, 0x74f8_39c5_93dc_67fd), (8, 0x93f5_f579_9a93_2462),
            (15, 0xa129_ca61_49be_45e5),
        ]
    )
    func sipHash(length: Int, expected: UInt64) {
        #expect(SipHash.hash((0..<length).map(UInt8.init)) == expected)
    }
}

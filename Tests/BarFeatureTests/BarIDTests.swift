import BarFeature
import TestSupport
import Testing

@Suite("Ids of bars")
struct BarIDTests {
    @Test(
        "any other text is not an id",
        arguments: [
            "", "0", String(repeating: "0", count: 31), String(repeating: "0", count: 33),
            String(repeating: "A", count: 32), String(repeating: "g", count: 32), String(repeating: "ö", count: 16),
            " " + String(repeating: "0", count: 31), "0x" + String(repeating: "0", count: 30),
        ]
    )
    func refused(text: String) {
        #expect(BarID(text) == nil)
    }

    @Test("an id is read as it was written: a digit is one of 0 to 9 and a to f, at every position", arguments: 0..<32)
    func digits(place: Int) throws {
        for byte in UInt8.min...UInt8.max where byte < 0x80 {
            var text = Array("0123456789abcdef0123456789abcdef".utf8)
            text[place] = byte
            let name = String(decoding: text, as: UTF8.self)
            if Array("0123456789abcdef".utf8).contains(byte) {
                #expect(BarID(name)?.text == name)
            } else {
                #expect(BarID(name) == nil, "\(byte) is no digit")
            }
        }
    }

    @Test(
        "ids begin with the byte of the replica, and all other bits are random",
        arguments: [nil, "00", "07", "ff"] as [String?]
    )
    func random(start: String?) {
        let makeID = BarSessions.randomIDs(beginningWith: start.flatMap(BarID.firstByte))
        var ones = [Int](repeating: 0, count: 32)
        for _ in 0..<1000 {
            let text = makeID().text
            #expect(text.hasPrefix(start ?? ""))
            for (place, digit) in text.enumerated() { ones[place] += digit.hexDigitValue?.nonzeroBitCount ?? 0 }
        }
        // 4,000 bits a digit, half of them set; six standard deviations are 190.
        for count in ones.dropFirst(start?.count ?? 0) { #expect(1800...2200 ~= count) }
    }

    @Test(
        "the first byte of ids is two digits; any other text is not one",
        arguments: [
            ("00", 0), ("07", 7), ("a9", 0xA9), ("ff", 0xFF), ("", nil), ("7", nil), ("007", nil), ("0A", nil),
            ("g0", nil), ("+1", nil), (" 1", nil), ("é", nil),
        ] as [(String, UInt8?)]
    )
    func firstByte(text: String, byte: UInt8?) {
        #expect(BarID.firstByte(text) == byte)
    }
}

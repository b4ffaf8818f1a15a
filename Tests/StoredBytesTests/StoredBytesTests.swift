import StoredBytes
import Testing

@Suite("Stored bytes")
struct StoredBytesTests {
    @Test("values of every kind are read as they were written, one after the other")
    func roundTrip() throws {
        let numbers = [0, 0.5, -1, 1.0 / 3, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
        let counts = [0, 127, 128, 1 << 55]
        var writer = ByteWriter()
        writer.put(7 as UInt8)
        for number in numbers { writer.put(number) }
        writer.put(bits: 0x0102_0304_0506_0708)
        for count in counts { writer.put(number: count) }
        writer.put("ö")
        writer.put([1, 2, 3] as [UInt8])
        try ByteReader.read(writer.bytes) { (reader: consuming ByteReader) throws(StoredBytesError) in
            let byte = try reader.byte()
            let doubles = try numbers.map { _ throws(StoredBytesError) in try reader.double() }
            let bits = try reader.bits()
            let integers = try counts.map { _ throws(StoredBytesError) in try reader.number() }
            let (text, content, isAtEnd) = (try reader.text(), try reader.content(), reader.isAtEnd)
            #expect(byte == 7 && doubles == numbers && bits == 0x0102_0304_0506_0708 && integers == counts)
            #expect(text == "ö" && content == [1, 2, 3] && isAtEnd)
        }
    }
}

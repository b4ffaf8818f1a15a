import Testing

@testable import HTTPExchange

/// Words of eight bytes against a plain look at each: every byte, at every place, between every kind of neighbours.
@Suite struct ByteSearchTests {
    /// Texts of up to three words with one byte of their own; the neighbours are those that a borrow could reach.
    private func texts(with byte: UInt8) -> [[UInt8]] {
        [0x20, 0x21, 0x7E, 0x80, 0xFF].flatMap { (neighbour: UInt8) in
            [1, 7, 8, 9, 16, 19].flatMap { count in
                (0..<count).map { place in
                    var text = [UInt8](repeating: neighbour, count: count)
                    text[place] = byte
                    return text
                }
            }
        }
    }

    @Test("A control is found wherever it is, and nothing is taken for one", arguments: UInt8.min...UInt8.max)
    func control(byte: UInt8) {
        let wrong = texts(with: byte).filter { text in
            text.withUnsafeBufferPointer(ByteSearch.hasControl) != text.contains { $0 < 0x20 || $0 == 0x7F }
        }
        #expect(wrong.isEmpty)
    }

    @Test("A byte is found at its first place from the start on", arguments: UInt8.min...UInt8.max)
    func index(byte: UInt8) {
        let wrong = texts(with: byte).filter { text in
            (0...text.count).contains { start in
                let found = text.withUnsafeBufferPointer { ByteSearch.index(of: byte, in: $0, from: start) }
                return found != text[start...].firstIndex(of: byte)
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test("There is nothing in nothing")
    func nothing() {
        let nothing = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
        #expect(!ByteSearch.hasControl(nothing) && !ByteSearch.contains(0, nothing))
    }
}

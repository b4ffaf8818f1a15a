import Primitives
import TestSupport
import Testing

@Suite("Blocks of the heap")
struct HeapBlockTests {
    @Test("a block has its header, is a multiple of 16 and has at least 32 bytes")
    func blocks() {
        #expect(HeapBlock.bytes(0) == 32)
        #expect(HeapBlock.bytes(24) == 32)
        #expect(HeapBlock.bytes(25) == 48)
        #expect(HeapBlock.bytes(1000) == 1008)
        #expect(HeapBlock.object(8) == 32)
        #expect(HeapBlock.object(9) == 48)
    }

    @Test("empty arrays and short strings need no block")
    func none() {
        #expect(HeapBlock.array(of: Int.self, capacity: 0) == 0)
        #expect(HeapBlock.array(of: Int.self, capacity: 1) == 48)
        #expect(HeapBlock.text(String(repeating: "a", count: 15)) == 0)
        #expect(HeapBlock.text(String(repeating: "a", count: 16)) == 64)
    }
}

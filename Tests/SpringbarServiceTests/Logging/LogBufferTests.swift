import Testing

@testable import SpringbarService

@Suite("The log's buffer")
struct LogBufferTests {
    private func append(_ text: String, to buffer: inout LogBuffer, isUrgent: Bool = false) -> LogBuffer.Signal {
        Array(text.utf8).withUnsafeBufferPointer { buffer.append($0, isUrgent: isUrgent) }
    }

    @Test("The first line of a batch wakes the writer; an urgent or the last one makes it write at once, and only once")
    func signals() {
        var buffer = LogBuffer(capacity: 100, reserve: 0, batchSize: 12)
        #expect(append("one", to: &buffer) == .begin)
        #expect(append("two", to: &buffer) == .none)
        #expect(append("three", to: &buffer) == .hurry)
        #expect(append("four", to: &buffer) == .none)
        var batch: [UInt8] = []
        #expect(buffer.drain(into: &batch) == 0)
        #expect(String(decoding: batch, as: UTF8.self) == "one\ntwo\nthree\nfour\n")
        #expect(append("no", to: &buffer, isUrgent: true) == .hurry)
    }

    @Test("Lines beyond the capacity are dropped and counted, also while a batch is being written")
    func capacity() {
        var buffer = LogBuffer(capacity: 10, reserve: 0, batchSize: 100)
        _ = append("12345", to: &buffer)
        var batch: [UInt8] = []
        _ = buffer.drain(into: &batch)
        #expect(append("123", to: &buffer) == .begin)
        #expect(append("1", to: &buffer) == .none)
        #expect(append("", to: &buffer) == .none)
        #expect(buffer.droppedTotal == 2)
        buffer.finish(lost: 0)
        #expect(buffer.accepted == 10 && buffer.done == 6)
        #expect(append("12345", to: &buffer) == .none)
        #expect(buffer.droppedTotal == 2)
        var next: [UInt8] = []
        #expect(buffer.drain(into: &next) == 2)
        #expect(buffer.drain(into: &next) == 0)
    }

    @Test("The reserve is for urgent lines")
    func reserve() {
        var buffer = LogBuffer(capacity: 4, reserve: 4, batchSize: 100)
        _ = append("123", to: &buffer)
        #expect(append("a", to: &buffer) == .none)
        #expect(append("abc", to: &buffer, isUrgent: true) == .hurry)
        #expect(append("b", to: &buffer, isUrgent: true) == .none)
        #expect(buffer.droppedTotal == 2)
    }

    @Test("Lines that the descriptor refused count as dropped")
    func lost() {
        var buffer = LogBuffer(capacity: 100, reserve: 0, batchSize: 100)
        _ = append("one", to: &buffer)
        var batch: [UInt8] = []
        _ = buffer.drain(into: &batch)
        buffer.finish(lost: 1)
        #expect(buffer.droppedTotal == 1 && buffer.done == buffer.accepted)
    }
}

import HTTPExchange
import Network
import Primitives
import Synchronization
import Testing

@Suite
struct EventStreamTests {
    /// Reads once, with a buffer of this size; returns the copied bytes as text.
    private func read(_ stream: EventStream, size: Int = 4096, wake: @escaping @Sendable () -> Void = {}) -> String {
        withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { buffer in
            switch stream.read(into: buffer, wake: wake) {
            case .copied(let count): String(decoding: buffer[..<count], as: UTF8.self)
            case .pending: "pending"
            case .finished: "finished"
            case .failed: "failed"
            case .reset: "reset"
            }
        }
    }

    private func event(_ data: String) -> SharedBytes { SharedBytes(Array("data: \(data)\n\n".utf8)) }

    private static let end = "event: end\ndata: {\"reason\":\"shutdown\"}\n\n"

    // MARK: Order and bounds

    @Test("a small buffer gets an event in parts, and no byte is lost", arguments: 1...12)
    func pieces(size: Int) {
        let stream = EventStream()
        stream.send(event("first"))
        stream.drain()
        var text = ""
        while true {
            let piece = read(stream, size: size)
            if piece == "finished" { break }
            #expect(piece.utf8.count <= size)
            text += piece
        }
        #expect(text == "data: first\n\n" + Self.end)
    }

    @Test("a slow reader gets the newest event")
    func replacing() {
        let stream = EventStream()
        for number in 0..<1000 { stream.send(event("state \(number)")) }
        #expect(read(stream) == "data: state 999\n\n")
        #expect(read(stream) == "pending")
    }

    @Test("an event with a lower number than an earlier one is dropped, also after that was read")
    func numbered() {
        let stream = EventStream()
        stream.send(event("two"), number: 2)
        stream.send(event("one"), number: 1)
        #expect(read(stream) == "data: two\n\n")
        stream.send(event("one"), number: 1)
        #expect(read(stream) == "pending")
        stream.send(event("three"), number: 3)
        #expect(read(stream) == "data: three\n\n")
    }

    @Test("an event that is read in part is completed and not replaced")
    func begun() {
        let stream = EventStream()
        stream.send(event("old"))
        #expect(read(stream, size: 4) == "data")
        stream.send(event("new"))
        stream.send(event("newer"))
        #expect(read(stream) == ": old\n\ndata: newer\n\n")
    }

    // MARK: Memory

    @Test("waiting events are reserved once for all readers, until they have been read or the stream is closed")
    func memory() {
        let budget = MemoryBudget(limit: 16_000)
        let client = ClientKey("192.0.2.1")
        let account = MemoryAccount(budget, client: client)
        let streams = (0..<3).map { _ in EventStream(account: account) }
        let bytes = event(String(repeating: "x", count: 1000))
        for stream in streams { stream.send(bytes) }
        #expect(budget.bytes == bytes.count)
        #expect(read(streams[0]).utf8.count == bytes.count)
        #expect(read(streams[1], size: 10).utf8.count == 10)
        streams[2].close()
        #expect(budget.bytes == bytes.count, "the second one is being read")
        streams[1].close()
        #expect(budget.bytes == 0)
    }

    @Test("a stream without memory for an event fails, and its waiting reader is woken")
    func noMemory() {
        let budget = MemoryBudget(limit: 16_000)
        let stream = EventStream(account: MemoryAccount(budget))
        let journal = Journal()
        #expect(read(stream, wake: { journal.note("wake") }) == "pending")
        #expect(budget.reserve(15_000))
        stream.send(event("1"))
        #expect(journal.lines == ["wake"] && read(stream) == "failed" && budget.bytes == 15_000)
        stream.drain()
        #expect(read(stream) == "failed")
    }

    // MARK: Waking

    @Test("a waiting reader is woken once, by the first event")
    func wakeOnce() {
        let stream = EventStream()
        let journal = Journal()
        #expect(read(stream, wake: { journal.note("wake") }) == "pending")
        stream.send(event("1"))
        stream.send(event("2"))
        #expect(journal.lines == ["wake"])
        #expect(read(stream, wake: { journal.note("again") }) == "data: 2\n\n")
        stream.send(event("3"))
        #expect(journal.lines == ["wake"])
    }

    @Test("only the reader of the last read is woken")
    func lastReader() {
        let stream = EventStream()
        let journal = Journal()
        #expect(read(stream, wake: { journal.note("first") }) == "pending")
        #expect(read(stream, wake: { journal.note("second") }) == "pending")
        stream.send(event("1"))
        #expect(journal.lines == ["second"])
    }

    @Test("a woken reader may call the stream: no lock is held")
    func reentrant() {
        let stream = EventStream()
        let journal = Journal()
        #expect(
            read(
                stream,
                wake: {
                    journal.note(read(stream, wake: {}))
                    stream.send(event("from within"))
                    stream.heartbeat()
                    stream.drain()
                    journal.note(read(stream))
                    stream.close()
                }
            ) == "pending"
        )
        stream.send(event("1"))
        #expect(journal.lines == ["data: 1\n\n", "data: from within\n\n" + Self.end])
    }

    @Test("an event that is sent while a read returns is not lost", arguments: 0..<20)
    func racing(round: Int) async {
        let stream = EventStream()
        let total = 1000
        async let sent: Void = Task.detached {
            for number in 0..<total { stream.send(self.event("\(number)")) }
            stream.drain()
        }.value
        // The reader sleeps only if the stream will wake it. If a wake is lost, it sleeps for ever and the test hangs.
        var text = ""
        while true {
            let signal = AsyncStream.makeStream(of: Void.self)
            let piece = read(stream, size: 64, wake: { signal.continuation.finish() })
            if piece == "finished" { break }
            if piece == "pending" { for await _ in signal.stream {} } else { text += piece }
        }
        await sent
        #expect(text.hasSuffix("data: \(total - 1)\n\n" + Self.end))
        let numbers = text.split(separator: "\n\n").compactMap { Int($0.dropFirst(6)) }
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy(<))
    }

    // MARK: Heartbeats

    @Test("an idle stream gets one heartbeat, a comment, which wakes the reader")
    func heartbeat() {
        let stream = EventStream()
        let journal = Journal()
        #expect(read(stream, wake: { journal.note("wake") }) == "pending")
        stream.heartbeat()
        stream.heartbeat()
        #expect(journal.lines == ["wake"])
        #expect(read(stream) == ":\n\n")
        #expect(read(stream) == "pending")
    }

    @Test("no heartbeat is added before waiting bytes, and an event replaces a heartbeat")
    func noHeartbeat() {
        let stream = EventStream()
        stream.heartbeat()
        stream.send(event("1"))
        stream.heartbeat()
        #expect(read(stream, size: 5) == "data:")
        stream.heartbeat()
        #expect(read(stream) == " 1\n\n")
        #expect(read(stream) == "pending")
    }

    // MARK: The end

    @Test("a drain ends the stream with its last event, after the waiting one")
    func drain() {
        let stream = EventStream()
        let journal = Journal()
        #expect(read(stream, wake: { journal.note("wake") }) == "pending")
        stream.send(event("1"))
        stream.drain()
        stream.drain()
        stream.send(event("too late"))
        stream.heartbeat()
        #expect(journal.lines == ["wake"])
        #expect(read(stream) == "data: 1\n\n" + Self.end)
        #expect(read(stream) == "finished")
        #expect(read(stream) == "finished")
    }

    @Test("a stream ends once, with its reason, and wakes a waiting reader")
    func end() {
        let deleted = EventStream()
        let journal = Journal()
        #expect(read(deleted, wake: { journal.note("wake") }) == "pending")
        deleted.end(reason: "deleted")
        #expect(journal.lines == ["wake"])
        deleted.end(reason: "expired")
        deleted.drain()
        #expect(read(deleted) == "event: end\ndata: {\"reason\":\"deleted\"}\n\n")
        #expect(read(deleted) == "finished")
    }

    @Test("closing is reported once, without the lock, and wakes no reader afterwards")
    func close() {
        let journal = Journal()
        let itself = Lock<EventStream?>(nil)
        let stream = EventStream(onClose: {
            journal.note("closed")
            let stream = itself.withLock { $0 }
            stream?.send(self.event("from within"))
            stream?.close()
        })
        itself.withLock { $0 = stream }
        stream.send(event("1"))
        #expect(read(stream) == "data: 1\n\n")
        #expect(read(stream, wake: { journal.note("wake") }) == "pending")
        stream.close()
        stream.close()
        stream.send(event("2"))
        stream.heartbeat()
        stream.drain()
        #expect(read(stream) == "finished")
        #expect(journal.lines == ["closed"])
        itself.withLock { $0 = nil }
    }

    @Test("concurrent closing is reported once")
    func closeOnce() async {
        for _ in 0..<50 {
            let journal = Journal()
            let stream = EventStream(onClose: { journal.note("closed") })
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { stream.close() } }
            }
            #expect(journal.lines == ["closed"])
        }
    }
}

import PhotoFeed
import Primitives
import SharedState
import TestSupport
import Testing

@testable import SpringbarService

@Suite("The journal of photos")
struct JournalStateTests {
    private let clocks = ClockPair(shared: WallTime(milliseconds: 1_700_000_000_000), own: .now)

    /// The message that watchers get of a write.
    private func message(_ write: SharedWrite) -> [UInt8] { write.value.bytes + write.note }

    private func write(_ state: JournalState, _ name: String, nonce: UInt64 = 1) throws -> SharedWrite {
        var note = ByteWriter()
        note.put(PhotoNotice(ticket: .detail(name), records: []), clocks)
        return try #require(state.append(.detail(name), nonce: nonce, note: note.bytes))
    }

    @Test("a journal without a head cannot be appended to")
    func unknownHead() {
        var state = JournalState()
        #expect(state.append(.detail("a"), nonce: 1, note: []) == nil)
        let isRead = state.found(SharedValue(SharedVersion(high: 3, low: 4)))
        #expect(!isRead)
        #expect(state.append(.detail("a"), nonce: 1, note: []) == nil)
    }

    @Test("the log keeps the newest tickets")
    func limit() throws {
        var state = JournalState()
        _ = state.found(JournalState.empty(nonce: 1))
        for number in 1...JournalState.limit + 5 {
            let write = try write(state, "p\(number)")
            #expect(write.dropping == (number > JournalState.limit ? 1 : 0))
            #expect(write.value.version.high == UInt64(number))
            _ = state.found(write.value)
        }
    }

    @Test("notices are applied in order, once; a gap is read")
    func order() throws {
        var writer = JournalState()
        _ = writer.found(JournalState.empty(nonce: 1))
        var writes: [SharedWrite] = []
        for name in ["a", "b", "c", "d"] {
            writes.append(try write(writer, name))
            _ = writer.found(writes[writes.count - 1].value)
        }
        var reader = JournalState()
        func step(_ write: SharedWrite) -> JournalState.Step { reader.received(write.value.version) }
        #expect(step(writes[0]) == .readAll, "the first message may follow others")
        _ = reader.readAll(SharedEntry(writes[0].value, log: [writes[0].appending[0]]))
        #expect(step(writes[0]) == .skip)
        #expect(step(writes[1]) == .apply)
        #expect(step(writes[3]) == .readAll)
        #expect(step(writes[2]) == .apply, "nothing was read in between")
        #expect(JournalState.notice(in: message(writes[2]), clocks)?.ticket == .detail("c"))
        #expect(JournalState.notice(in: writes[2].value.bytes, clocks) == nil)
        reader.interrupted()
        #expect(step(writes[3]) == .readAll)
        let tickets = reader.readAll(SharedEntry(writes[3].value, log: writes.map { $0.appending[0] } + [[9], []]))
        #expect(tickets == ["d", "c", "b", "a"].map { PhotoTicket.detail($0) })
        let none = reader.readAll(nil)
        #expect(none.isEmpty)
    }

    @Test("tickets that many replicas append at once are all in the journal, each once")
    func race() async throws {
        let replicas = PageReplicas()
        let photos = (0..<6).map { _ in replicas.photos() }
        let clocks = clocks
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    await photos[number % 6].tell(PhotoNotice(ticket: .detail("p\(number)"), records: []), clocks)
                }
            }
        }
        let entry = try #require(try await replicas.engine.readWithLog(.journal))
        var state = JournalState()
        let lost = photos.reduce(0) { $0 + $1.faults }
        let tickets = Set(state.readAll(entry))
        #expect(tickets.count == 60)
        #expect(entry.log.count == 60)
        #expect(lost == 0)
    }

    @Test("a journal that is not one of ours is replaced")
    func foreign() async throws {
        let replicas = PageReplicas()
        let photos = replicas.photos()
        // A head that claims more tickets than its log has: the engine refuses to drop them.
        var writer = ByteWriter()
        writer.put(PhotoRecord.format)
        writer.put(number: JournalState.limit + 7)
        for content in [[], [77], writer.bytes] {
            let version = SharedVersion(high: 5, low: 5)
            let key = SharedKey.journal
            if let present = try await replicas.engine.read(key) {
                _ = try await replicas.engine.delete(key, base: present.version)
            }
            _ = try await replicas.engine.create(key, SharedValue(version, content), timeToLive: .seconds(99))
            replicas.fail(.refused) { call in
                if case .exchange(_, let write) = call { write.dropping > 0 } else { false }
            }
            await photos.tell(PhotoNotice(ticket: .detail("x"), records: []), clocks)
            #expect(try await replicas.engine.readWithLog(key)?.log.count == 1)
        }
    }
}

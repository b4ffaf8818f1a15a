import PhotoFeed
import Primitives
import SharedState
import TestSupport
import Testing

@testable import SpringbarService

@Suite("Following the journal of photos")
struct JournalFollowingTests {
    private let replicas = PageReplicas()

    private var reads: Int {
        replicas.engine.calls.count { if case .readWithLog(.journal) = $0 { true } else { false } }
    }

    /// Appends tickets of details that the store does not have.
    private func append(_ names: ClosedRange<Int>, by photos: SharedPhotos) async {
        let clocks = ClockPair(shared: replicas.engine.now, own: .now)
        for name in names { await photos.tell(PhotoNotice(ticket: .detail("x\(name)"), records: []), clocks) }
    }

    @Test("the messages that arrive while the journal is read do not start further reads")
    func coalesced() async throws {
        let a = try replicas.replica()
        let writer = replicas.photos()
        try await replicas.following(a) {
            await append(1...3, by: writer)
            try await waitUntil { reads >= 1 }
            replicas.engine.interruptWatches()
            await append(4...6, by: writer)
            let before = reads
            let gate = FakeEngine.Gate()
            replicas.engine.onCall { if case .readWithLog = $0 { .waits(gate) } else { .works } }
            replicas.engine.resumeWatches()
            try await waitUntil { gate.count == 1 }
            await append(7...60, by: writer)
            gate.open()
            // The last page arrives behind all messages.
            _ = try await replicas.replica().get("/v1/photos?limit=30")
            try await waitUntil { a.service.knows("p1") }
            #expect(reads - before == 1)
        }
    }

    @Test("an interruption while the journal is read is followed by one more read")
    func interruptedTwice() async throws {
        let a = try replicas.replica()
        let writer = replicas.photos()
        try await replicas.following(a) {
            await append(1...3, by: writer)
            try await waitUntil { reads >= 1 }
            let before = reads
            let gate = FakeEngine.Gate()
            replicas.engine.onCall { if case .readWithLog = $0 { .waits(gate) } else { .works } }
            for _ in 0..<20 { replicas.engine.resumeWatches() }
            try await waitUntil { gate.count == 1 }
            for _ in 0..<20 { replicas.engine.resumeWatches() }
            gate.open()
            _ = try await replicas.replica().get("/v1/photos?limit=30")
            try await waitUntil { a.service.knows("p1") }
            #expect((1...2).contains(reads - before))
        }
    }

    @Test("while the store is away the pauses grow, and it is read once when it is back")
    func away() async throws {
        let a = try replicas.replica()
        try await replicas.following(a) {
            try await waitUntil { reads == 1 }
            replicas.fail(.unavailable) { if case .readWithLog = $0 { true } else { false } }
            for _ in 0..<60 { replicas.engine.resumeWatches() }
            for pause in [1, 2, 4, 8, 16, 30, 30] {
                try await waitUntil { replicas.time.count == 1 }
                let before = reads
                replicas.time.pass(.milliseconds(pause * 1000 - 1))
                #expect(replicas.time.count == 1)
                #expect(reads == before)
                replicas.time.pass(.milliseconds(1))
                try await waitUntil { reads == before + 1 }
            }
            try await waitUntil { replicas.time.count == 1 }
            replicas.engine.onCall { _ in .works }
            let before = reads
            replicas.time.pass(.seconds(30))
            _ = try await replicas.replica().get("/v1/photos?limit=30")
            try await waitUntil { a.service.knows("p1") }
            #expect((1...2).contains(reads - before))
        }
    }

    @Test("after the journal was lost its next one is read, although it has lower numbers")
    func anotherHistory() async throws {
        let a = try replicas.replica()
        let writer = replicas.photos()
        try await replicas.following(a) {
            await append(1...5, by: writer)
            try await waitUntil { reads >= 1 }
            replicas.engine.forgetAll()
            let before = reads
            await append(6...6, by: replicas.photos())
            try await waitUntil { reads == before + 1 }
            _ = try await replicas.replica().get("/v1/photos?limit=30")
            try await waitUntil { a.service.knows("p1") }
            #expect(reads == before + 1)
        }
    }

    @Test("a journal that is longer than any replica leaves it is removed")
    func tooLong() async throws {
        let empty = JournalState.empty(nonce: 1 << 40)
        _ = try await replicas.engine.create(.journal, empty, timeToLive: .seconds(600))
        let write = SharedWrite(
            base: empty.version,
            value: SharedValue(empty.version.next(nonce: 2), Array(empty.content)),
            timeToLive: .seconds(600),
            appending: Array(repeating: PhotoTicket.detail("x").bytes, count: JournalState.limit + 1)
        )
        _ = try await replicas.engine.exchange(.journal, write)
        let a = try replicas.replica()
        try await replicas.following(a) {
            try await waitUntil { a.service.recordFaults == 1 }
            try await waitUntil { !replicas.engine.keys.contains(.journal) }
            _ = try await replicas.replica().get("/v1/photos?limit=30")
            try await waitUntil { a.service.knows("p1") }
        }
        #expect(replicas.engine.calls.allSatisfy { $0.key != .detail("x") }, "its tickets are not read")
    }

    @Test("a message that no replica sends is not kept, and the journal is read instead")
    func hugeMessage() async throws {
        let a = try replicas.replica()
        let writer = replicas.photos()
        try await replicas.following(a) {
            await append(1...2, by: writer)
            try await waitUntil { reads >= 1 }
            let before = reads
            let notice = PhotoNotice(ticket: .detail("y"), records: [])
            let padding = Array(repeating: UInt8(0), count: PhotoNotice.largestMessage)
            let head = try #require(try await replicas.engine.read(.journal))
            let write = SharedWrite(
                base: head.version,
                value: SharedValue(head.version.next(nonce: 3), Array(head.content)),
                timeToLive: .seconds(600),
                appending: [notice.ticket.bytes],
                note: notice.bytes(ClockPair(shared: replicas.engine.now, own: .now)) + padding
            )
            _ = try await replicas.engine.exchange(.journal, write)
            try await waitUntil { reads == before + 1 }
        }
    }

    @Test("every key has the number of the format, so versions of the service leave each other's alone")
    func keysOfTheFormat() async throws {
        let a = try replicas.replica()
        for path in ["/v1/photos", "/v1/photos/p40?detail=full", "/unsplash/photos"] { _ = try await a.get(path) }
        await a.land()
        let kinds = replicas.keys().map { $0.text.prefix { $0 != ":" } }
        #expect(Set(kinds) == Set(["f", "p", "d", "u", "journal"].map { "\($0)\(PhotoRecord.format)" }))

        // What another version has stored under its keys stays.
        let others = ["f2:1", "p2:1:1", "d2:p40", "u2:1", "journal2"].map { SharedKey($0) }
        let value = SharedValue(SharedVersion(high: 1, low: 1), [2, 1, 1])
        for key in others { _ = try await replicas.engine.create(key, value, timeToLive: .seconds(90_000)) }
        let b = try replicas.replica()
        try await replicas.following(a, b) {
            _ = try await b.get("/v1/photos?page=2&perPage=30")
            try await waitUntil { a.service.knows("p60") }
        }
        for key in others { #expect(try await replicas.engine.read(key) == value) }
    }
}

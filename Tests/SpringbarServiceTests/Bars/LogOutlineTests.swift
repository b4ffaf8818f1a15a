import BarLayout
import Primitives
import SharedState
import TestSupport
import Testing

@testable import SpringbarService

/// The log in a shared store follows the rules of the log in memory: both get the same writes, and are compared.
@Suite("The log in a shared store")
struct LogOutlineTests {
    /// A log in memory, and the same one as elements.
    private struct Pair {
        var log = BarLog()
        var outline = LogOutline()
        var elements: [[UInt8]] = []
        var present: BarRecord

        mutating func write(_ addition: BarLog.Addition, to next: BarRecord, promised: Int = BarLog.promisedEvents) {
            _ = log.append(addition, after: present)
            _ = log.trim()
            let change = outline.append(addition, after: present, promised: promised)
            #expect(change.dropping <= elements.count)
            elements.removeFirst(min(change.dropping, elements.count))
            elements += change.appending
            present = next
        }
    }

    private func start() throws -> BarRecord {
        let api = try BarAPI()
        let path = try api.bar()
        let id = try #require(BarID(String(path.suffix(32))))
        return try api.sessions.store.load(id, now: api.clock.now).waited
    }

    /// Applies `count` offsets as one write.
    private func write(_ count: Int, _ pair: inout Pair, _ random: inout SeededGenerator) throws {
        let record = pair.present
        var addition = BarLog.Addition(after: record.lastSequence)
        var session = record.session
        for number in 0..<count {
            let checkpoint =
                addition.needsCheckpoint
                ? BarRecord(
                    checkpoint: session,
                    revision: record.revision + number,
                    lastSequence: record.lastSequence + number
                ) : nil
            let event = BarEvent(.contentOffset(try Point(x: 0, y: Double.random(in: -200...900, using: &random))))
            _ = try session.apply(event, rules: .fluid)
            addition.append(.event(event), checkpoint: checkpoint)
        }
        let next = record.next(
            session,
            revision: record.revision + count,
            lastSequence: record.lastSequence + count,
            now: WallTime(milliseconds: 0)
        )
        pair.write(addition, to: next)
    }

    private func expectSame(_ pair: Pair) throws {
        let read = try BarLog(elements: pair.elements, outline: pair.outline)
        #expect(pair.outline.elements == pair.elements.count)
        #expect(read.segments.map(\.bytes) == pair.log.segments.map(\.bytes))
        #expect(read.segments.map(\.lastSequence) == pair.log.segments.map(\.lastSequence))
        for (one, other) in zip(read.segments, pair.log.segments) {
            #expect(one.start.session == other.start.session)
            #expect(one.start.revision == other.start.revision)
            #expect(one.start.lastSequence == other.start.lastSequence)
        }
        #expect(read.firstSequence == pair.log.firstSequence)
        #expect(try read.page(after: 0, limit: 512).entries == pair.log.page(after: 0, limit: 512).entries)
    }

    @Test("it has the entries of the log in memory after any writes", arguments: 1...6 as ClosedRange<UInt64>)
    func same(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pair = Pair(present: try start())
        for step in 0..<60 {
            let count = [1, 1, 1, 2, 17, 63, 64, 65, 500][Int.random(in: 0..<9, using: &random)]
            try write(count, &pair, &random)
            if step % 10 == 0 { try expectSame(pair) }
        }
        try expectSame(pair)
        #expect(pair.outline.segments.count <= 9)
    }

    @Test("changes of tracks have a limit of bytes, as in memory")
    func tracks() throws {
        var pair = Pair(present: try start())
        let track = try Track(
            name: String(repeating: "n", count: 128),
            curve: .ranges(compactNormal: .value(0), normalExpanded: .value(0))
        )
        for revision in 1...9000 {
            var addition = BarLog.Addition(after: 0)
            addition.append(.tracks([.set(track)]))
            let next = pair.present.next(
                pair.present.session,
                revision: revision,
                lastSequence: 0,
                now: WallTime(milliseconds: 0)
            )
            pair.write(addition, to: next)
        }
        try expectSame(pair)
        #expect(pair.outline.segments.reduce(0) { $0 + $1.weight } <= BarLog.byteLimit)
    }

    @Test("it keeps fewer events if there is little memory, even of its own batch")
    func shortLog() throws {
        var random = SeededGenerator(seed: 1)
        var pair = Pair(present: try start())
        for _ in 0..<300 { try write(1, &pair, &random) }
        var addition = BarLog.Addition(after: 300)
        for _ in 0..<500 {
            let checkpoint = addition.needsCheckpoint ? pair.present : nil
            addition.append(.event(BarEvent(.expand(true))), checkpoint: checkpoint)
        }
        let elements = pair.elements.count
        let change = pair.outline.append(addition, after: pair.present, promised: 64)
        #expect(change.dropping == elements)
        #expect(change.appending.count == pair.outline.elements)
        let events = pair.outline.segments.reduce(0) { $0 + $1.events }
        #expect(64..<192 ~= events)
    }

    @Test("elements that are not those of the outline are an error")
    func inconsistent() throws {
        var random = SeededGenerator(seed: 1)
        var pair = Pair(present: try start())
        for _ in 0..<70 { try write(1, &pair, &random) }
        let (elements, outline) = (pair.elements, pair.outline)
        #expect(throws: StoredBytesError.inconsistentLog) {
            try BarLog(elements: elements.dropLast(), outline: outline)
        }
        #expect(throws: StoredBytesError.inconsistentLog) {
            try BarLog(elements: Array(elements.reversed()), outline: outline)
        }
        #expect(throws: StoredBytesError.inconsistentLog) { try BarLog(elements: elements, outline: LogOutline()) }
    }
}

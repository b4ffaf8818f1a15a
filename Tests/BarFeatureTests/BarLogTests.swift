import BarLayout
import Primitives
import StoredBytes
import TestSupport
import Testing

@testable import BarFeature

@Suite("The log of a bar")
struct BarLogTests {
    private static let session: BarSession = {
        // The numbers are within every limit.
        let geometry = try! ScrollGeometry(
            contentOffset: Point(x: 0, y: 500),
            contentSize: Size(width: 375, height: 4800),
            frame: Rect(x: 0, y: 0, width: 375, height: 667)
        )
        return try! BarSession.attached(
            to: Scrollable(id: "feed", geometry: geometry),
            configuration: BarConfiguration(
                compactStateHeight: 100,
                normalStateHeight: 200,
                expandedStateHeight: 300
            )
        ).session
    }()

    private func event(_ y: Double) throws -> BarLogEntry {
        .event(BarEvent(.contentOffset(try Point(x: 0, y: y))))
    }

    private func bar() -> StoredBar {
        StoredBar(BarRecord(session: Self.session, ttlSeconds: 900, now: WallTime(milliseconds: 0)), client: nil)
    }

    /// Appends the entries of one write.
    private func append(_ entries: [BarLogEntry], to bar: StoredBar) throws {
        var next = bar.record
        var addition = LogAddition()
        for entry in entries {
            addition.append(entry)
            next.revision += 1
            switch entry {
            case .tracks(let changes): try next.session.tracks.apply(changes)
            case .event(let event):
                _ = try next.session.apply(event)
                next.lastSequence += 1
            }
        }
        try bar.write(next, addition) { _ in }
    }

    @Test("every kind of entry is read as it was written")
    func roundTrip() throws {
        let insets = try EdgeInsets(top: 1, left: -2, bottom: 3.25, right: 1e9)
        let view = try Scrollable(
            id: "日本",
            geometry: ScrollGeometry(
                contentOffset: Point(x: -1, y: 1e-300),
                contentSize: Size(width: 0, height: 1e9),
                frame: Rect(x: -1, y: -2, width: 3, height: 4),
                contentInset: insets
            )
        )
        let actions: [BarEvent.Action] =
            [
                .contentOffset(try Point(x: 1.0 / 3, y: -0.1)), .contentSize(try Size(width: 1, height: 2)),
                .frame(try Rect(x: 1, y: 2, width: 3, height: 4)), .contentInset(insets), .expand(true), .expand(false),
                .set(view), .preconfigure(view),
            ]
            + (try BarEvent.PanGestureState.allCases.flatMap { state in
                [.panGesture(state, velocity: nil), .panGesture(state, velocity: try Point(x: 0, y: -812.4))]
            })
        var entries: [BarLogEntry] = []
        for action in actions {
            for source in [BarEvent.Source.user, .animation] {
                for id in [nil, "feed"] {
                    for timestamp in [nil, 12.75] {
                        entries.append(
                            .event(BarEvent(action, source: source, scrollableID: id, timestamp: timestamp))
                        )
                    }
                }
            }
        }
        let keyframes = try Keyframes([Keyframe(progress: 0, value: 44), Keyframe(progress: 1.5, value: -96)])
        entries.append(
            .tracks([
                .remove("a"), .set(try Track(name: "b", curve: .keyframes(keyframes))),
                .set(try Track(name: "c", curve: .ranges(compactNormal: .range(0, 1), normalExpanded: .value(3)))),
            ])
        )
        var writer = ByteWriter()
        for entry in entries { entry.write(to: &writer) }
        try ByteReader.read(writer.bytes) { (reader: consuming ByteReader) in
            for entry in entries {
                let read = try BarLogEntry(from: &reader)
                #expect(read == entry)
            }
            #expect(reader.position == writer.count)
        }
        try refusesDamage(of: writer.bytes)
    }

    /// Reads all entries of `bytes` in every truncation, and with every byte replaced.
    private func refusesDamage(of bytes: [UInt8]) throws {
        func read(_ bytes: [UInt8]) throws(StoredBytesError) -> Int {
            try ByteReader.read(bytes) { (reader: consuming ByteReader) throws(StoredBytesError) in
                var count = 0
                while !reader.isAtEnd {
                    _ = try BarLogEntry(from: &reader)
                    count += 1
                }
                return count
            }
        }
        let whole = try read(bytes)
        for length in bytes.indices {
            // A truncation between two entries is a shorter log; any other one is an error.
            if let count = try? read(Array(bytes[..<length])) { #expect(count < whole) }
        }
        var refused = 0
        for index in bytes.indices {
            for byte: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                var damaged = bytes
                damaged[index] = byte
                if (try? read(damaged)) == nil { refused += 1 }
            }
        }
        #expect(refused > 0)
    }

    @Test("bytes that no writer makes are errors, not traps")
    func damage() throws {
        func error(_ bytes: [UInt8]) -> StoredBytesError? {
            ByteReader.read(bytes) { (reader: consuming ByteReader) in
                do throws(StoredBytesError) {
                    _ = try BarLogEntry(from: &reader)
                    return nil
                } catch { return error }
            }
        }
        #expect(error([]) == .truncated)
        #expect(error([0x00, 2, 0x40]) == .truncated)
        #expect(error([0x00, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9]) == .unknownKind(9))
        #expect(error([0x0F]) == .unknownKind(0x0F))
        #expect(error([0x04, 0x77]) == .unknownKind(0x77))
        // An offset of infinity, a text of 32 GiB, a text that is not UTF-8, and a list of 268 million changes.
        #expect(error([0, 2, 0x7F, 0xF0, 0]) == .numberTooLarge)
        #expect(error([0x25, 0xFF, 0xFF, 0xFF, 0xFF, 0x61]) == .truncated)
        #expect(error([0x25, 1, 0xFF]) == .invalidText)
        #expect(error([0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0]) == .truncated)
        // A track without keyframes, and one of an unknown kind.
        #expect(error([0x08, 1, 2, 0, 0]) == .invalid(.keyframes("a track has 1 to 64 keyframes")))
        #expect(error([0x08, 1, 9, 0]) == .unknownKind(9))
    }

    @Test("an event in the log that its bar refuses is an error of the replay")
    func refusedEvent() throws {
        var addition = LogAddition()
        addition.append(.event(BarEvent(.expand(true), scrollableID: "other")))
        let start = BarRecord(session: Self.session)
        let log = try BarLog(start: start.startBytes, entries: addition.writer.bytes, lastSequence: 1)
        let mismatch = BarLayoutError.scrollableMismatch(attached: "feed", given: "other")
        #expect(throws: StoredBytesError.invalid(mismatch)) { try log.replay(from: 1, to: 1) }
        let full = LogExtent(events: 1000, cost: addition.extent.cost)
        #expect(throws: StoredBytesError.invalid(mismatch)) { try log.trimmed(full) }
    }

    @Test("a log with fewer entries than its bar has is an error, and never a trap")
    func missingEntries() throws {
        let bar = bar()
        try append((0..<100).map { try event(Double($0)) }, to: bar)
        let whole = try bar.readLog()
        let start = try #require(whole.start).startBytes
        for (entries, last) in [(whole.entries, 101), ([], 100), (Array(whole.entries.prefix(20)), 100)] {
            let log = try BarLog(start: start, entries: entries, lastSequence: last)
            #expect(throws: StoredBytesError.self) { try log.replay(from: 1, to: last) }
        }
        let tooSmall = LogExtent(events: 2000, cost: 10)
        #expect(throws: StoredBytesError.inconsistentLog) { try whole.trimmed(tooSmall) }
        for (first, last) in [(0, 5), (5, 4), (101, 102), (.min, .max), (.max, .min)] {
            #expect(try whole.replay(from: first, to: last) == nil)
        }
    }

    @Test(
        "a trimmed log has the same entries and states as one that is never full",
        arguments: 1...4 as ClosedRange<UInt64>
    )
    func trimmedIsSame(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let bar = bar()
        var (session, states) = (Self.session, [BarSession]())
        for step in 0..<40 {
            let count = [1, 1, 2, 17, 63, 64, 65, 500][Int.random(in: 0..<8, using: &random)]
            var entries = try (0..<count).map { _ in try event(Double.random(in: -200...900, using: &random)) }
            if step % 3 == 0 { entries.append(.tracks([.set(try track("t\(step)"))])) }
            try append(entries, to: bar)
            for entry in entries {
                switch entry {
                case .tracks(let changes): try session.tracks.apply(changes)
                case .event(let event):
                    _ = try session.apply(event)
                    states.append(session)
                }
            }
            let log = try bar.readLog()
            let (first, last) = (try #require(log.firstSequence), log.lastSequence)
            #expect(last == states.count)
            #expect(first == max(1, last - 511))
            let part = Int.random(in: first...last, using: &random)
            for begin in [first, part] {
                let steps = try #require(try log.replay(from: begin, to: last))
                #expect(steps.map(\.record.session) == Array(states[(begin - 1)...]))
                #expect(steps.map(\.record.lastSequence) == Array(begin...last))
            }
            #expect(try log.replay(from: last, to: last + 1) == nil)
            if first > 1 { #expect(try log.replay(from: first - 1, to: last) == nil) }
        }
    }

    private func track(_ name: String) throws -> Track {
        try Track(name: name, curve: .ranges(compactNormal: .value(0), normalExpanded: .value(0)))
    }

    @Test("a shared store drops whole parts of writes, and keeps at most 63 events more than one in memory")
    func wholeParts() throws {
        var addition = LogAddition()
        for number in 0..<500 { addition.append(try event(Double(number % 300))) }
        #expect(addition.parts.map(\.count).count == 8)
        #expect(Array(addition.parts.joined()) == addition.writer.bytes)
        let start = BarRecord(session: Self.session).startBytes
        let log = try BarLog(start: start, entries: addition.writer.bytes, lastSequence: 500)
        var ends: [Int] = []
        for part in addition.parts { ends.append((ends.last ?? 0) + part.count) }
        let extent = addition.extent + LogExtent(events: 100, cost: 6400)
        let exact = try #require(try log.trimmed(extent))
        let whole = try #require(try log.trimmed(extent, ends: ends))
        #expect(exact.extent.events == 512)
        #expect(whole.extent.events == 600 - 64)
        #expect(whole.droppedBytes == ends[0])
        #expect(whole.start.lastSequence == 64)
    }
}

import BarLayout
import TestSupport
import Testing

@testable import SpringbarService

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
            ),
            rules: .fluid
        ).session
    }()

    private func event(_ y: Double) throws -> BarLogEntry {
        .event(BarEvent(.contentOffset(try Point(x: 0, y: y))))
    }

    /// A log with that many events, each added by itself, and the bar after them.
    private func log(events count: Int) throws -> (log: BarLog, session: BarSession) {
        var log = BarLog()
        var session = Self.session
        for number in 0..<count {
            let start = BarRecord(checkpoint: session, revision: number, lastSequence: number)
            let entry = try event(Double(number % 300))
            var addition = BarLog.Addition(after: number)
            addition.append(entry)
            _ = log.append(addition, after: start)
            _ = log.trim()
            if case .event(let event) = entry { _ = try session.apply(event, rules: .fluid) }
        }
        return (log, session)
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
        var reader = ByteReader(writer.bytes)
        for entry in entries { #expect(try BarLogEntry(from: &reader) == entry) }
        #expect(reader.isAtEnd)
        try refusesDamage(of: writer.bytes)
    }

    /// Reads all entries of `bytes` in every truncation, and with every byte replaced.
    private func refusesDamage(of bytes: [UInt8]) throws {
        func read(_ bytes: [UInt8]) throws(StoredBytesError) -> Int {
            var reader = ByteReader(bytes)
            var count = 0
            while !reader.isAtEnd {
                _ = try BarLogEntry(from: &reader)
                count += 1
            }
            return count
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
            var reader = ByteReader(bytes)
            do throws(StoredBytesError) {
                _ = try BarLogEntry(from: &reader)
                return nil
            } catch { return error }
        }
        #expect(error([]) == .truncated)
        #expect(error([0x00, 1, 2, 3]) == .truncated)
        #expect(error([0x0F]) == .unknownKind(0x0F))
        #expect(error([0x04, 0x77]) == .unknownKind(0x77))
        // An offset of infinity, a text of 32 GiB, a text that is not UTF-8, and a list of 268 million changes.
        #expect(
            error([0] + [0, 0, 0, 0, 0, 0, 0xF0, 0x7F] + [UInt8](repeating: 0, count: 8)) == .invalid(.outOfRange("x"))
        )
        #expect(error([0x25, 0xFF, 0xFF, 0xFF, 0xFF, 0x61]) == .truncated)
        #expect(error([0x25, 1, 0xFF]) == .invalidText)
        #expect(error([0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0]) == .truncated)
        // A track without keyframes, and one of an unknown kind.
        #expect(error([0x08, 1, 2, 0, 0]) == .invalid(.keyframes("a track has 1 to 64 keyframes")))
        #expect(error([0x08, 1, 9, 0]) == .unknownKind(9))
    }

    @Test("an event in the log that its bar refuses is an error of the replay")
    func refusedEvent() throws {
        var log = BarLog()
        var addition = BarLog.Addition(after: 0)
        addition.append(.event(BarEvent(.expand(true), scrollableID: "other")))
        _ = log.append(addition, after: BarRecord(checkpoint: Self.session, revision: 0, lastSequence: 0))
        let mismatch = BarLayoutError.scrollableMismatch(attached: "feed", given: "other")
        #expect(throws: StoredBytesError.invalid(mismatch)) { try log.replay(1...1, rules: .fluid) }
    }

    @Test("a scroll event takes 17 bytes")
    func size() throws {
        var writer = ByteWriter()
        try event(1).write(to: &writer)
        #expect(writer.bytes.count == 17)
    }

    @Test("the last 512 events can be replayed", arguments: [0, 1, 63, 64, 65, 511, 512, 513, 576, 2000])
    func promised(count: Int) throws {
        let (log, session) = try log(events: count)
        let first = max(1, count - BarLog.promisedEvents + 1)
        #expect(log.firstSequence == (count == 0 ? nil : first))
        #expect(log.segments.count <= BarLog.promisedEvents / BarLog.segmentEvents + 1)
        guard count > 0 else { return }
        let steps = try #require(try log.replay(first...count, rules: .fluid))
        #expect(steps.map(\.sequence) == Array(first...count))
        #expect(steps.last?.session == session)
        #expect(steps.last?.revision == count)
        #expect(try log.replay(count...(count + 1), rules: .fluid) == nil)
        if first > 1 { #expect(try log.replay((first - 1)...count, rules: .fluid) == nil) }
    }

    @Test("any part of the log replays to the same states as the whole")
    func parts() throws {
        let (log, _) = try log(events: 300)
        let all = try #require(try log.replay(1...300, rules: .fluid))
        var random = SeededGenerator(seed: 3)
        for _ in 0..<50 {
            let first = Int.random(in: 1...300, using: &random)
            let last = Int.random(in: first...300, using: &random)
            let part = try #require(try log.replay(first...last, rules: .fluid))
            #expect(part.map(\.session) == all[(first - 1)..<last].map(\.session))
        }
    }

    @Test("changes of tracks without events have a limit of bytes")
    func manyChanges() throws {
        var log = BarLog()
        let track = try Track(
            name: String(repeating: "n", count: 128),
            curve: .ranges(compactNormal: .value(0), normalExpanded: .value(0))
        )
        for revision in 0..<20_000 {
            let start = BarRecord(checkpoint: Self.session, revision: revision, lastSequence: 0)
            var addition = BarLog.Addition(after: 0)
            addition.append(.tracks([.set(track)]))
            _ = log.append(addition, after: start)
            _ = log.trim()
        }
        #expect(log.byteCount <= BarLog.byteLimit)
        #expect(log.byteCount > BarLog.byteLimit / 2)
        #expect(log.origin == nil)
    }
}

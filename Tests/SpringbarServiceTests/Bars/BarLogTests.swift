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
            _ = log.append(BarLog.Addition(sequence: number, entries: [entry]), after: start)
            _ = log.trim()
            if case .event(let event) = entry { _ = try session.apply(event, rules: .fluid) }
        }
        return (log, session)
    }

    @Test("every kind of entry reads back as it was written")
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
        for entry in entries {
            let before = writer.bytes.count
            entry.write(to: &writer)
            #expect(entry.byteCount == writer.bytes.count - before)
        }
        var reader = ByteReader(writer.bytes)
        for entry in entries { #expect(BarLogEntry(from: &reader) == entry) }
        #expect(reader.isAtEnd)
    }

    @Test("a scroll event takes 17 bytes")
    func size() throws {
        var writer = ByteWriter()
        try event(1).write(to: &writer)
        #expect(writer.bytes.count == 17)
    }

    @Test("so many events are promised, however many came", arguments: [0, 1, 63, 64, 65, 511, 512, 513, 576, 2000])
    func promised(count: Int) throws {
        let (log, session) = try log(events: count)
        let first = max(1, count - BarLog.promisedEvents + 1)
        #expect(log.firstSequence == (count == 0 ? nil : first))
        #expect(log.segments.count <= BarLog.promisedEvents / BarLog.segmentEvents + 1)
        guard count > 0 else { return }
        let steps = try #require(log.replay(first...count, rules: .fluid))
        #expect(steps.map(\.sequence) == Array(first...count))
        #expect(steps.last?.session == session)
        #expect(steps.last?.revision == count)
        #expect(log.replay(count...(count + 1), rules: .fluid) == nil)
        if first > 1 { #expect(log.replay((first - 1)...count, rules: .fluid) == nil) }
    }

    @Test("any part of the log replays to what the whole does")
    func parts() throws {
        let (log, _) = try log(events: 300)
        let all = try #require(log.replay(1...300, rules: .fluid))
        var random = SeededGenerator(seed: 3)
        for _ in 0..<50 {
            let first = Int.random(in: 1...300, using: &random)
            let last = Int.random(in: first...300, using: &random)
            let part = try #require(log.replay(first...last, rules: .fluid))
            #expect(part.map(\.session) == all[(first - 1)..<last].map(\.session))
        }
    }

    @Test("changes of tracks without an event in between do not grow a log without bounds")
    func manyChanges() throws {
        var log = BarLog()
        let track = try Track(
            name: String(repeating: "n", count: 128),
            curve: .ranges(compactNormal: .value(0), normalExpanded: .value(0))
        )
        for revision in 0..<20_000 {
            let start = BarRecord(checkpoint: Self.session, revision: revision, lastSequence: 0)
            _ = log.append(BarLog.Addition(sequence: 0, entries: [.tracks([.set(track)])]), after: start)
            _ = log.trim()
        }
        #expect(log.byteCount <= BarLog.byteLimit)
        #expect(log.byteCount > BarLog.byteLimit / 2)
        #expect(log.origin == nil)
    }
}

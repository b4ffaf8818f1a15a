import BarLayout
import Primitives
import ServiceHarness
import SharedState
import StoredBytes
import TestSupport
import Testing

@testable import BarFeature
@testable import SharedBars

@Suite("Bars as bytes")
struct BarRecordBytesTests {
    /// The numbered events of a bar with some options, and its session after each.
    private static func sessions(seed: UInt64, count: Int) throws -> [BarSession] {
        let api = try Service(seed: seed)
        let creation = Bodies.create(
            BarRetryStormTests.options[Int(seed) % 3].isEmpty
                ? tracks : BarRetryStormTests.options[Int(seed) % 3] + "," + tracks
        )
        let path = try api.bar(creation)
        let id = try BarID(path: path)
        var sessions = [try api.sessions.store.load(id, now: api.clock.now).waited.session]
        for event in BarRetryStormTests.trace(seed: seed, length: count) {
            _ = api.post(path + "/events", event)
            sessions.append(try api.sessions.store.load(id, now: api.clock.now).waited.session)
        }
        return sessions
    }

    private static let tracks = """
        "tracks":{"a":{"compactNormalRange":{"range":[0,1]},"normalExpandedRange":{"value":1}},\
        "日本":{"keyframes":[{"progress":0,"value":44},{"progress":1.5,"value":-96}]}}
        """

    private func bar(
        _ session: BarSession,
        revision: Int = 7,
        ttlSeconds: Int = 900,
        share: SharedBar.Share? = nil
    ) -> SharedBar {
        let record = BarRecord(
            session: session,
            revision: revision,
            lastSequence: 5,
            ttlSeconds: ttlSeconds,
            expiresAt: WallTime(milliseconds: 1_700_000_000_123)
        )
        let log = LogExtent(events: 5, cost: 600)
        return SharedBar(record: record, log: log, share: share, nonce: .max - 1)
    }

    @Test("every state of a bar is read as it was written", arguments: 1...6 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        for session in try Self.sessions(seed: seed, count: 150) {
            let share = SharedBar.Share(client: 0xFFF0_0000_0000_0002, renewedAt: WallTime(milliseconds: 300))
            for bar in [bar(session), bar(session, share: share)] {
                let read = try SharedBar.read(bar.bytes)
                #expect(read.record == bar.record)
                #expect(read.log == bar.log)
                #expect(read.share == bar.share)
                #expect(read.version == bar.version)
                #expect(read.bytes == bar.bytes)
            }
        }
    }

    @Test("options of a newer version are refused", arguments: [(1, 0x1000), (1, 0x8000), (2, 0x20), (2, 0x80)])
    func unknownOptions(byte: Int, flag: Int) throws {
        var writer = ByteWriter(capacity: 256)
        writer.put(try Self.sessions(seed: 3, count: 1)[0])
        var bytes = writer.bytes
        // The flags are the first two bytes; the repairs are the third.
        bytes[byte] |= UInt8(byte == 1 ? flag >> 8 : flag)
        let error = #expect(throws: StoredBytesError.self) {
            try ByteReader.read(bytes) { (reader: consuming ByteReader) in try reader.session() }
        }
        guard case .unknownFlags(let flags) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(Int(flags) & flag == flag)
    }

    @Test("all options are read as they were written")
    func options() throws {
        let base = try Self.sessions(seed: 3, count: 1)[0]
        var all: [BarOptions] = []
        for snap in [BarOptions.Snap.nearest, .none, .projected(.fast)] {
            for resistance in [nil, try Resistance(dimension: 200, constant: 0.5)] {
                for flags in 0..<8 {
                    all.append(
                        BarOptions(
                            snap: snap,
                            snapSequential: flags & 1 != 0,
                            snapOnCancel: flags & 2 != 0,
                            clampTargets: flags & 4 != 0,
                            reopen: flags & 2 != 0 ? .top : .anywhere,
                            tolerance: try Tolerance(points: Double(flags & 5)),
                            resistance: resistance,
                            fixes: BarOptions.Fixes(rawValue: UInt8(flags * 3))
                        )
                    )
                }
            }
        }
        for options in all {
            let session = BarSession(
                restoring: base.snapshot,
                feedback: .echoed,
                options: options,
                tracks: base.tracks
            )
            #expect(try SharedBar.read(bar(session).bytes).record.session == session)
        }
    }

    @Test("a part of a newer version is refused", arguments: [1, 8, 0x80, 7] as [UInt8])
    func unknownParts(parts: UInt8) throws {
        let value = bar(try Self.sessions(seed: 3, count: 1)[0]).bytes
        let newer = value.dropLast() + [parts]
        #expect(throws: StoredBytesError.unknownFlags(UInt16(parts))) { try SharedBar.read(Array(newer)) }
    }

    @Test("damaged bytes are errors, not traps")
    func damage() throws {
        let session = try #require(try Self.sessions(seed: 4, count: 40).last)
        let value = bar(session).bytes
        for length in 0..<value.count {
            #expect(throws: StoredBytesError.self) { try SharedBar.read(Array(value[..<length])) }
        }
        var refused = 0
        for index in value.indices {
            for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var bytes = value
                bytes[index] = byte
                if (try? SharedBar.read(bytes)) == nil { refused += 1 }
            }
        }
        #expect(refused > 50)
        for format in [BarRecord.format - 1, BarRecord.format + 1] {
            var bytes = value
            bytes[RecordVersion.byteCount] = format
            #expect(throws: StoredBytesError.unknownFormat(format)) { try SharedBar.read(bytes) }
        }
    }

    @Test("numbers that would overflow at the next write are refused")
    func largeNumbers() throws {
        let session = try #require(try Self.sessions(seed: 4, count: 1).last)
        for bar in [bar(session, revision: .max), bar(session, ttlSeconds: 1 << 55)] {
            #expect(throws: StoredBytesError.numberTooLarge) { try SharedBar.read(bar.bytes) }
        }
        let record = bar(session).record
        for log in [LogExtent(events: 1 << 33, cost: 1), LogExtent(events: 1, cost: 1 << 55)] {
            let bytes = bytes(of: record, log: log)
            #expect(throws: StoredBytesError.numberTooLarge) { try read(bytes, revision: 7) }
        }
        // No bar has more events than revisions.
        let bytes = bytes(of: record)
        #expect(throws: StoredBytesError.numberTooLarge) { try read(bytes, revision: 4) }
    }

    private func bytes(of record: BarRecord, log: LogExtent = LogExtent()) -> [UInt8] {
        var writer = ByteWriter()
        writer.put(record, log: log)
        return writer.bytes
    }

    private func read(_ bytes: [UInt8], revision: Int) throws -> BarRecord {
        try ByteReader.read(bytes) { (reader: consuming ByteReader) in try reader.record(revision: revision).record }
    }

    @Test(
        "the start of a log is read as it was written, and damage is an error",
        arguments: 1...3 as ClosedRange<UInt64>
    )
    func start(seed: UInt64) throws {
        for session in try Self.sessions(seed: seed, count: 20) {
            let start = BarRecord(session: session, revision: 1 << 40, lastSequence: 1 << 33)
            func read(_ bytes: [UInt8]) throws -> BarRecord {
                try ByteReader.read(bytes) { (reader: consuming ByteReader) in try reader.start() }
            }
            #expect(try read(start.startBytes) == start)
            for length in start.startBytes.indices {
                #expect(throws: StoredBytesError.self) { try read(Array(start.startBytes[..<length])) }
            }
        }
    }

    @Test("a message has the bar and the commands of its write")
    func message() throws {
        let session = try #require(try Self.sessions(seed: 2, count: 10).last)
        let spring = SnapSpring(dampingRatio: 0.8, response: 0.3, relativeVelocity: -1.4e200)
        let target = try Point(x: 1, y: -2.5)
        let commands = [
            BarCommand(scrollableID: "a", target: target, animated: true),
            BarCommand(scrollableID: "日本", target: target, animated: false, spring: spring),
        ]
        var writer = ByteWriter()
        writer.put(commands.enumerated().map { NumberedCommand(sequence: $0.offset + 300, command: $0.element) })
        let bar = bar(session)
        let message = try SharedBar.message(bar.bytes + writer.bytes)
        #expect(message.bar.bytes == bar.bytes)
        #expect(message.commands.map(\.command) == commands)
        #expect(message.commands.map(\.sequence) == [300, 301])
        #expect(throws: StoredBytesError.truncated) { try SharedBar.message([1, 2]) }
    }

    @Test("a second creation is in the record, and a first one leaves the bytes of the released version")
    func bytes() throws {
        var record = try bar(Self.sessions(seed: 3, count: 1)[0]).record
        let share = SharedBar.Share(client: 7, renewedAt: WallTime(milliseconds: 300))
        for share in [nil, share] {
            record.creation = 0
            let first = SharedBar(record: record, log: LogExtent(), share: share, nonce: 1)
            record.creation = 1 << 32 - 1
            let second = SharedBar(record: record, log: LogExtent(), share: share, nonce: 1)
            let flag = first.bytes.count - (share == nil ? 1 : 11)
            #expect(first.bytes[flag] == (share == nil ? 0 : 2))
            #expect(second.bytes[flag] == first.bytes[flag] | 4)
            let read = try SharedBar.read(second.bytes)
            #expect(read.record == record)
            #expect(read.share == share)
            #expect(try SharedBar.read(first.bytes).record.creation == 0)
            #expect(throws: StoredBytesError.self) { try SharedBar.read(second.bytes.dropLast()) }
        }
    }

    @Test("a clock that was set back does not end the counting")
    func clockSetBack() throws {
        let share = SharedBar.Share(client: 1, renewedAt: WallTime(milliseconds: 1_000_000))
        #expect(share.renewed(ttlSeconds: 100, now: WallTime(milliseconds: 1_024_999)) == share)
        #expect(share.renewed(ttlSeconds: 100, now: WallTime(milliseconds: 1_025_000)) != share)
        let earlier = WallTime(milliseconds: 999_999)
        #expect(share.renewed(ttlSeconds: 100, now: earlier).renewedAt == earlier)
    }
}

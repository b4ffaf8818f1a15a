import Primitives
import SharedState
import StoredBytes
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite("Answers as replicas store them")
struct AnswerRecordTests {
    private static let start = Instant.now
    private static let clock = SteadyClock(origin: WallTime(milliseconds: 1_700_000_000_000), start: start)
    private static let answers = [
        LibraryAnswer(Array("[]".utf8)), LibraryAnswer([], total: 0, hasNext: false),
        LibraryAnswer(Array("[1]".utf8), total: Total.limit, hasNext: true),
    ]

    private static func bytes(_ answer: LibraryAnswer, age: Duration = .zero) -> [UInt8] {
        let kept = LibraryCache.Answer(value: answer, fetched: start - age)
        return AnswerRecord.bytes(kept, to: "/photos?page=1", clock)
    }

    @Test("a record is read as it was written, with its age on another replica", arguments: answers)
    func roundTrip(answer: LibraryAnswer) throws {
        let bytes = Self.bytes(answer, age: .seconds(90))
        let later = SteadyClock(origin: WallTime(milliseconds: 1_700_000_010_000), start: Self.start)
        let (target, read) = try AnswerRecord.read(bytes, later)
        #expect(target == "/photos?page=1")
        #expect(read.value == answer)
        #expect(read.fetched == Self.start - .seconds(100))
    }

    @Test(
        "bytes that no writer makes are refused or read, and never end the process",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func hostile(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let bytes = Self.bytes(Self.answers[2])
        for length in bytes.indices {
            #expect(throws: StoredBytesError.self) { try AnswerRecord.read(Array(bytes.prefix(length)), Self.clock) }
        }
        for _ in 0..<1000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                damaged[Int.random(in: damaged.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            guard let (_, answer) = try? AnswerRecord.read(damaged, Self.clock) else { continue }
            #expect(0...Total.limit ~= answer.value.total ?? 0)
            #expect(answer.fetched <= Self.start)
        }
    }
}

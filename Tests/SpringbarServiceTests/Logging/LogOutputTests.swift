import Foundation
import Glibc
import SpringbarService
import TestSupport
import Testing

/// Effects of the descriptor on the log, and on the threads that log.
@Suite("The log's output", .timeLimit(.minutes(1)))
struct LogOutputTests {
    /// A pipe that closes both ends when it is released.
    private final class PipeEnds {
        var read: Int32 = -1
        var write: Int32 = -1

        /// `capacity` is the size of the kernel's buffer for a reader that does not read, at least a page.
        init(capacity: Int32 = 4096, isBlocking: Bool = true) {
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            (read, write) = (ends[0], ends[1])
            // F_SETPIPE_SZ is a GNU extension that is not imported.
            _ = fcntl(write, 1031, capacity)
            if !isBlocking { _ = fcntl(write, F_SETFL, O_NONBLOCK) }
            signal(SIGPIPE, SIG_IGN)
        }

        deinit {
            close(read)
            close(write)
        }

        /// Reads until `isEnough` is true for everything that was read.
        func read(until isEnough: (String) -> Bool) -> String {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while !isEnough(String(decoding: bytes, as: UTF8.self)) {
                let count = Glibc.read(read, &buffer, buffer.count)
                if count <= 0 { break }
                bytes += buffer[..<count]
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// A named pipe, so that another reader may follow one that has closed it.
    private final class NamedPipe {
        private let path = FileManager.default.temporaryDirectory.appendingPathComponent("springbar-\(UUID()).fifo")
            .path
        private(set) var reader: Int32
        let writer: Int32

        init() throws {
            try #require(mkfifo(path, 0o600) == 0)
            reader = open(path, O_RDONLY | O_NONBLOCK)
            writer = open(path, O_WRONLY)
            _ = fcntl(writer, 1031, 4096)
            signal(SIGPIPE, SIG_IGN)
        }

        deinit {
            close(reader)
            close(writer)
            unlink(path)
        }

        func closeReader() {
            close(reader)
            reader = -1
        }

        /// Opens the pipe for another reader, has `write` add a line, and reads up to a report of lost lines.
        func readAgain(_ write: () -> Void) -> String {
            reader = open(path, O_RDONLY | O_NONBLOCK)
            write()
            var text = ""
            var buffer = [UInt8](repeating: 0, count: 1000)
            let isReported = eventually {
                let count = read(reader, &buffer, buffer.count)
                if count > 0 { text += String(decoding: buffer[..<count], as: UTF8.self) }
                return text.hasSuffix("lost\n")
            }
            #expect(isReported)
            return text
        }
    }

    private static func limits(capacity: Int) -> LogOutput.Limits {
        var limits = LogOutput.Limits()
        limits.capacity = capacity
        limits.reserve = 1000
        limits.batchSize = 1000
        limits.delay = .milliseconds(1)
        return limits
    }

    private func output(_ descriptor: Int32, capacity: Int = 10_000) -> LogOutput {
        LogOutput(descriptor: descriptor, limits: Self.limits(capacity: capacity)) { Array("\($0) lines lost".utf8) }
    }

    /// Returns a line of 100 bytes, including its end.
    private func line(_ number: Int) -> [UInt8] {
        let digits = "\(number)"
        return Array((digits + String(repeating: ".", count: 99 - digits.count)).utf8)
    }

    @Test(
        "A pipe that is not read blocks no caller, and lines beyond the buffer are dropped",
        arguments: [true, false]
    )
    func blocked(isBlocking: Bool) throws {
        let pipe = PipeEnds(isBlocking: isBlocking)
        let output = output(pipe.write)
        let start = ContinuousClock.now
        for number in 0..<1000 { output.add(line(number), isUrgent: false) }
        #expect(.now - start < .seconds(20))
        #expect(!output.flush(within: .milliseconds(50)))
        // The pipe holds 4,096 bytes, and at most 10,000 wait.
        let dropped = output.droppedLines
        #expect((1000 - 145...1000 - 90).contains(dropped))

        let lines = pipe.read { text in text.hasSuffix("\n") && Self.reported(text) == dropped }.split(separator: "\n")
        #expect(lines.last?.hasSuffix("lines lost") == true)
        let whole = lines.filter { !$0.hasSuffix("lines lost") }
        #expect(whole.count == 1000 - dropped)
        #expect(whole.allSatisfy { $0.count == 99 })
        #expect(whole.first?.hasPrefix("0.") == true)
        #expect(output.flush(within: .seconds(10)))
        output.add(line(1000), isUrgent: true)
        #expect(pipe.read { $0.hasSuffix("\n") }.hasPrefix("1000."))
        #expect(output.droppedLines == dropped)
    }

    /// Returns the sum of all reports in a text.
    private static func reported(_ text: String) -> Int {
        text.split(separator: "\n").filter { $0.hasSuffix("lines lost") }
            .reduce(0) { $0 + (Int($1.prefix { $0 != " " }) ?? 0) }
    }

    @Test("An urgent line fits where other lines do not")
    func urgent() {
        let pipe = PipeEnds()
        let output = output(pipe.write)
        for number in 0..<1000 { output.add(line(number), isUrgent: false) }
        let dropped = output.droppedLines
        output.add(Array("urgent".utf8), isUrgent: true)
        #expect(output.droppedLines == dropped)
        #expect(pipe.read { $0.contains("urgent\n") }.contains("urgent\n"))
    }

    @Test("Lines are dropped while the pipe has no reader, and written when it has a new one")
    func readerGoesAway() throws {
        let pipe = try NamedPipe()
        let output = output(pipe.writer)
        output.add(Array("one".utf8), isUrgent: true)
        #expect(output.flush(within: .seconds(10)))
        pipe.closeReader()
        for _ in 0..<3 {
            output.add(Array("lost".utf8), isUrgent: true)
            #expect(output.flush(within: .seconds(10)))
        }
        #expect(output.droppedLines == 3)
        // The pipe keeps the bytes that its first reader did not read.
        let text = pipe.readAgain { output.add(Array("two".utf8), isUrgent: true) }
        #expect(text == "one\ntwo\n3 lines lost\n")
    }

    @Test("On a full disk lines are dropped, and each is counted")
    func full() {
        let device = open("/dev/full", O_WRONLY)
        defer { close(device) }
        let output = output(device)
        for number in 0..<50 { output.add(line(number), isUrgent: number % 2 == 0) }
        #expect(output.flush(within: .seconds(10)))
        #expect(output.droppedLines == 50)
    }

    @Test("A line that was cut off is ended before the next one")
    func cutOff() throws {
        let pipe = try NamedPipe()
        let output = LogOutput(descriptor: pipe.writer) { Array("\($0) lines lost".utf8) }
        // The pipe holds 40 lines and 96 bytes of the next one; then its reader closes.
        for number in 0..<100 { output.add(line(number), isUrgent: number == 99) }
        var queued: Int32 = 0
        #expect(eventually { ioctl(pipe.reader, UInt(FIONREAD), &queued) == 0 && queued == 4096 })
        pipe.closeReader()
        #expect(output.flush(within: .seconds(10)))
        #expect(output.droppedLines == 60)
        let text = pipe.readAgain { output.add(Array("next".utf8), isUrgent: true) }
        // The pipe may keep bytes that its first reader did not read: the beginning of the line that was cut off.
        let end = "\nnext\n60 lines lost\n"
        #expect(text == end || text.hasSuffix(String(repeating: ".", count: 94) + end))
    }

    @Test("Lines of many threads are whole, and none is missing")
    func concurrent() async throws {
        let pipe = PipeEnds(capacity: 1 << 20)
        let output = LogOutput(descriptor: pipe.write) { _ in Array("lost".utf8) }
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0..<500 { output.add(self.line(writer * 500 + number), isUrgent: false) }
                }
            }
        }
        #expect(output.flush(within: .seconds(10)))
        let lines = pipe.read { $0.utf8.count == 400_000 }.split(separator: "\n")
        #expect(Set(lines.map { $0.prefix { $0 != "." } }).count == 4000)
        #expect(output.droppedLines == 0)
    }
}

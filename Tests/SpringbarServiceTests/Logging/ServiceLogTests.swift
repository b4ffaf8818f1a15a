import Foundation
import Logging
import SpringbarService
import Testing

@Suite("The service's log")
struct ServiceLogTests {
    /// A log into a pipe, and what came out of it.
    private func lines(
        format: Configuration.LogFormat,
        level: Logger.Level = .info,
        _ write: (Logger) -> Void
    ) -> [String] {
        let pipe = Pipe()
        let output = LogOutput(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let handler = ServiceLogHandler(label: "test", level: level, format: format, output: output) {
            WallTime(milliseconds: 951_782_400_123)
        }
        write(Logger(label: "test") { _ in handler })
        output.flush()
        try? pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    @Test("a JSON line has time, level, message and the metadata in order")
    func jsonLine() {
        let lines = lines(format: .json) { logger in
            logger.info("served", metadata: ["status": "200", "bytes": .stringConvertible(12), "a": ["x", "y"]])
        }
        let expected =
            #"{"time":"2000-02-29T00:00:00.123Z","level":"info","logger":"test","message":"served","#
            + #""a":["x","y"],"bytes":12,"status":"200"}"#
        #expect(lines == [expected])
    }

    @Test("a text line is for people, and nobody can forge one")
    func textLine() {
        let lines = lines(format: .text) { $0.warning("careful", metadata: ["path": "/a\nfake"]) }
        #expect(lines == [#"00:00:00.123 warning  careful path=/a\u{a}fake"#])
    }

    @Test("the level decides")
    func level() {
        let lines = lines(format: .text, level: .warning) { logger in
            logger.info("no")
            logger.error("yes")
        }
        #expect(lines.count == 1)
    }

    @Test("lines keep their order, urgent or not, however many there are")
    func order() {
        let lines = lines(format: .text) { logger in
            for number in 0..<500 { logger.log(level: number % 50 == 0 ? .error : .info, "\(number)") }
        }
        #expect(lines.map { String($0.split(separator: " ").last ?? "") } == (0..<500).map(String.init))
    }
}

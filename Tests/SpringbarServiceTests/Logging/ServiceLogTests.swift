import Foundation
import Logging
import Primitives
import SpringbarService
import Testing

@Suite("The service's log")
struct ServiceLogTests {
    /// A log into a pipe, and the lines that were read from it.
    private func lines(
        format: Configuration.Logs.Format,
        _ write: (Logger) -> Void
    ) -> [String] {
        let pipe = Pipe()
        let output = LogOutput(
            descriptor: pipe.fileHandleForWriting.fileDescriptor,
            reportLoss: LogLines(label: "test", format: format).loss
        )
        let log = LogLines(label: "test", format: format) { WallTime(milliseconds: 951_782_400_123) }
        let handler = ServiceLogHandler(lines: log, level: .info, output: output)
        write(Logger(label: "test") { _ in handler })
        #expect(output.flush(within: .seconds(10)))
        try? pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    @Test("A JSON line has time, level, message and the metadata in order")
    func jsonLine() {
        let lines = lines(format: .json) { logger in
            logger.info("served", metadata: ["status": "200", "bytes": .stringConvertible(12), "a": ["x", "y"]])
        }
        let expected =
            #"{"time":"2000-02-29T00:00:00.123Z","level":"info","logger":"test","message":"served","#
            + #""a":["x","y"],"bytes":12,"status":"200"}"#
        #expect(lines == [expected])
    }

    @Test("A text line is readable, and its content cannot forge another line")
    func textLine() {
        let lines = lines(format: .text) { $0.warning("careful", metadata: ["path": "/a\nfake"]) }
        #expect(lines == [#"00:00:00.123 warning  careful path=/a\u{a}fake"#])
    }

    @Test("Lines keep their order, urgent or not")
    func order() {
        let lines = lines(format: .text) { logger in
            for number in 0..<500 { logger.log(level: number % 50 == 0 ? .error : .info, "\(number)") }
        }
        let numbers = lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(numbers == Array(0..<500))
    }

    /// Characters that terminals interpret: both sets of controls, marks that change the direction of text, and line
    /// ends.
    private static let hiddenCharacters = [
        "\u{7f}", "\u{80}", "\u{9b}", "\u{9f}", "\u{61c}", "\u{200e}", "\u{200f}", "\u{202a}", "\u{202e}", "\u{2028}",
        "\u{2029}", "\u{2066}", "\u{2069}", "\u{feff}", "\u{e0041}", "\u{1b}", "\u{0}",
    ]

    @Test("A line contains no character that a terminal interprets", arguments: hiddenCharacters)
    func hidden(character: String) throws {
        let scalar = try #require(character.unicodeScalars.first)
        let text = "a\(character)é"
        let words = lines(format: .text) { $0.info("\(text)", metadata: ["path": "\(text)", "list": ["\(text)"]]) }
        #expect(words.count == 1)
        #expect(!words[0].unicodeScalars.contains(scalar))
        #expect(words[0].contains("\\u{\(String(scalar.value, radix: 16))}é"))
        let json = lines(format: .json) { $0.info("\(text)", metadata: ["path": "\(text)", "list": ["\(text)"]]) }
        #expect(json.count == 1)
        #expect(!json[0].unicodeScalars.contains(scalar))
        // The escaped JSON has the same value.
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json[0].utf8)) as? [String: Any])
        #expect(object["path"] as? String == text)
        #expect(object["message"] as? String == text)
        #expect(object["list"] as? [String] == [text])
    }

    @Test("Texts of any script are written unchanged")
    func scripts() {
        let text = #"né "日本" 🙂 العربية \"#
        #expect(lines(format: .text) { $0.info("\(text)") }.first?.hasSuffix(text) == true)
        #expect(lines(format: .json) { $0.info("\(text)") }.first?.contains(#"né \"日本\" 🙂 العربية \\"#) == true)
    }
}

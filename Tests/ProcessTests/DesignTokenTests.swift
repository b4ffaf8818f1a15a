import Foundation
import TestSupport
import Testing

extension ProcessTests {
    /// The command and the service with a file of design tokens.
    @Suite("A file of design tokens")
    final class DesignTokenTests {
        private let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).tokens.json")

        deinit {
            try? FileManager.default.removeItem(at: file)
        }

        private func write(_ ratio: Double) throws {
            let text = #"{"a": {"sheet": {"$type": "spring", "$value": {"dampingRatio": \#(ratio), "response": 0.3}}}}"#
            try text.write(to: file, atomically: true, encoding: .utf8)
        }

        @Test("The command prints the bytes that the service sends")
        func command() throws {
            try write(0.8)
            let service = try ServiceProcess()
            for platform in ["swiftui", "compose", "flutter", "css", "reactnative", "motion", "json"] {
                let arguments = ["design-tokens", file.path, "--platform", platform]
                let (status, output) = try ServiceProcess.run(arguments)
                #expect(status == 0)
                let target = "/v1/design-tokens?platform=\(platform)"
                let content = try String(contentsOf: file, encoding: .utf8)
                let response = try RawConnection(port: service.port).post(target, content)
                #expect(output == response.text)
            }
        }

        @Test("The command tells a fault of its use, of the content and of the file apart")
        func statuses() throws {
            try write(-1)
            let faults: [([String], Int32, String)] = [
                ([], 64, "the file of design tokens is missing"),
                (["--platform", "css"], 64, "the file of design tokens is missing"),
                (
                    [file.path], 64,
                    "--platform must be one of swiftui, compose, flutter, css, reactnative, motion, json"
                ),
                ([file.path, "--platform", "uikit"], 64, "--platform must be one of swiftui"),
                ([file.path, "--platform", "css"], 65, "\(file.path): /a/sheet/$value: `dampingRatio` must be"),
                (["/none", "--platform", "css"], 66, "/none: No such file or directory"),
                (["/", "--platform", "css"], 66, "/: Is a directory"),
            ]
            for (arguments, status, message) in faults {
                let result = try ServiceProcess.run(["design-tokens"] + arguments)
                #expect(result.status == status && result.output.contains(message), "\(result.output)")
            }
        }

        @Test("A fault of the file ends the start with EX_CONFIG, and names the setting, the file and the place")
        func faultAtStart() throws {
            try write(-1)
            let environment = ["SPRINGBAR_DESIGN_TOKENS": file.path]
            let (status, output) = try ServiceProcess.run(["serve", "--port", "0"], environment: environment)
            #expect(status == 78)
            #expect(output.contains("SPRINGBAR_DESIGN_TOKENS: \(file.path): /a/sheet/$value: `dampingRatio` must be"))
        }

        @Test("SIGHUP reads the file again; a fault is logged, and the last file stays in use")
        func reload() throws {
            try write(0.8)
            let service = try ServiceProcess(environment: ["SPRINGBAR_DESIGN_TOKENS": file.path])
            func ratio() throws -> Double? {
                let request = "GET /v1/design-tokens/sheet HTTP/1.1\r\nHost: x\r\n\r\n"
                let data = Data(try RawConnection(port: service.port).exchange(request).content)
                let answer = try JSONSerialization.jsonObject(with: data) as? [String: Any]
                return (answer?["spring"] as? [String: Any])?["dampingRatio"] as? Double
            }
            #expect(try ratio() == 0.8)
            try write(0.5)
            service.send(signal: SIGHUP)
            #expect(service.waitForLine(within: .seconds(10)) { $0.contains("design tokens read") } != nil)
            #expect(try ratio() == 0.5)
            try write(-1)
            service.send(signal: SIGHUP)
            let line = service.waitForLine(within: .seconds(10)) { $0.contains("design tokens not read") }
            #expect(line?.contains("`dampingRatio` must be") == true)
            #expect(try ratio() == 0.5)
            service.send(signal: SIGTERM)
            #expect(try service.waitForEnd(within: .seconds(10)) == 0)
        }
    }
}

import Foundation
import SpringbarService
import TestSupport
import Testing

extension ProcessTests {
    @Suite("The command")
    struct CommandTests {
        @Test(
            "The numbers of the sandbox library have the grammar of the settings",
            arguments: ["+1", "0x10", " 1", "1e3"]
        )
        func sandboxNumbers(text: String) throws {
            for flag in ["--port", "--photos", "--requests-per-hour"] {
                let (status, output) = try ServiceProcess.run(["sandbox", "\(flag)=\(text)"])
                #expect(status == 64)
                #expect(output.contains("must be a whole number"))
            }
        }

        @Test("The printed configuration has no secrets")
        func printConfiguration() throws {
            let environment = ["UNSPLASH_ACCESS_KEY": "hushhushhush", "SPRINGBAR_API_TOKENS": "hushhushhushhushhush"]
            let (status, output) = try ServiceProcess.run(["--print-config", "--port", "9"], environment: environment)
            #expect(status == 0)
            #expect(output.contains("9  [flag]"))
            #expect(!output.contains("hush"))
            for setting in Configuration.declared { #expect(output.contains(setting.variable)) }
        }

        @Test("The help names the flag, the default and the variable of every setting")
        func help() throws {
            let (status, output) = try ServiceProcess.run(["serve", "--help"])
            let words = output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
            #expect(status == 0)
            for setting in Configuration.declared {
                guard let flag = setting.flag else {
                    #expect(words.contains(setting.variable))
                    #expect(!words.contains("[\(setting.variable)]"), "a secret has no flag")
                    continue
                }
                #expect(words.contains("\(flag) <"))
                #expect(words.contains("[\(setting.variable)]"))
                if let text = setting.defaultText {
                    #expect(words.contains("(default: \(text)) [\(setting.variable)]"))
                }
            }
        }

        @Test("`health` ends with 0 while the service runs, and with 1 if nothing listens")
        func health() throws {
            let service = try ServiceProcess()
            #expect(try ServiceProcess.run(["health", "--port", "\(service.port)"]).status == 0)
            // The container listens on all addresses, and its health check reads the same variables.
            let environment = ["SPRINGBAR_HOST": "0.0.0.0", "SPRINGBAR_PORT": "\(service.port)"]
            #expect(try ServiceProcess.run(["health"], environment: environment).status == 0)
            service.send(signal: SIGTERM)
            #expect(try service.waitForEnd(within: .seconds(10)) == 0)
            let (status, output) = try ServiceProcess.run(["health", "--port", "\(service.port)"])
            #expect(status == 1)
            #expect(output.contains("no healthy answer from 127.0.0.1 port \(service.port)"))
            // A setting that does not change the question is refused.
            #expect(try ServiceProcess.run(["health", "--app-name", "a"]).status == 64)
        }

        @Test(
            "A setting that begins with a character that joins the sign before it is read",
            arguments: ["\u{200D}", "\u{301}"]
        )
        func joined(first: String) throws {
            let environment = ["SPRINGBAR_API_TOKENS": first + "secret-token-0123456789"]
            let (status, output) = try ServiceProcess.run(["--print-config"], environment: environment)
            #expect(status == 78 && output.contains("at least 16 printable characters"), "\(output.prefix(200))")
        }

        /// Starts the command with a limit of descriptors and waits for a line of its output.
        private func started(_ limit: String, _ isWanted: (String) -> Bool) throws -> (RunningProcess, String?) {
            let serve = "ulimit \(limit) && exec \"$0\" serve --port 0 --max-connections 100"
            let shell = URL(fileURLWithPath: "/bin/sh")
            let process = try RunningProcess(shell, ["-c", serve, ServiceProcess.binary.path], environment: [:])
            return (process, process.waitForLine(within: .seconds(20), isWanted))
        }

        @Test("The limit of connections is lowered to the limit of descriptors, with a warning")
        func fewDescriptors() throws {
            let (process, line) = try started("-n 200") { $0.contains("connections lowered") }
            defer { process.kill() }
            #expect(line?.contains(#""connections":72"#) == true)
        }

        @Test("The soft limit of descriptors is raised to the hard limit")
        func raisedDescriptors() throws {
            let (process, _) = try started("-S -n 200") { $0.contains(#""message":"listening""#) }
            defer { process.kill() }
            let limits = try String(contentsOfFile: "/proc/\(process.identifier)/limits", encoding: .utf8)
            let words = try #require(limits.firstMatch(of: /Max open files +([0-9]+) +([0-9]+)/))
            #expect(words.1 == words.2)
            #expect(!process.output.contains("connections lowered"))
        }

        @Test("The welcome names the address, the pages, the library and three requests to try")
        func welcome() throws {
            let service = try ServiceProcess(["--log-format", "json"])
            #expect(!service.output.contains("curl"))
            let (_, output) = try firstLines(of: ["serve", "--port", "0", "--log-format", "text"])
            #expect(output.contains("listens on http://127.0.0.1:"))
            #expect(output.contains("built-in sandbox library"))
            #expect(output.split(separator: "\n").filter { $0.hasPrefix("  curl ") }.count == 3)
            #expect(output.contains("/problems\n"))
            let links = output.matches(of: #/http:\/\/127\.0\.0\.1:\d+(\/\w*)/#).map(\.output.1)
            #expect(links.contains("/") && links.contains("/docs"))
        }

        /// Starts the command, stops it when it is ready, and returns its output.
        private func firstLines(of arguments: [String]) throws -> (status: Int32, output: String) {
            let process = try RunningProcess(ServiceProcess.binary, arguments, environment: [:])
            defer { process.kill() }
            _ = process.waitForLine(within: .seconds(20)) { $0.contains("Ctrl-C") }
            process.send(signal: SIGINT)
            return (try #require(process.waitForEnd(within: .seconds(10))), process.output)
        }
    }
}

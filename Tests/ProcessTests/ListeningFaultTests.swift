import Foundation
import SpringbarService
import TestSupport
import Testing

extension ProcessTests {
    /// The system decides whether an address is available.
    ///
    /// Its error is reported as a fault of the setting.
    @Suite("Faults of the listening address")
    struct ListeningFaultTests {
        private static let heading = "The configuration has a fault:\n  "

        /// Returns the only fault that the command reports before it ends.
        private func fault(
            _ arguments: [String],
            environment: [String: String] = [:],
            launcher: [String] = []
        ) throws -> String {
            let (status, output) = try ServiceProcess.run(arguments, environment: environment, launcher: launcher)
            #expect(status == 78, "EX_CONFIG")
            #expect(output.hasPrefix(Self.heading), "\(output)")
            return output.dropFirst(Self.heading.count).trimmingCharacters(in: .newlines)
        }

        @Test("A port in use is reported as a fault of its setting")
        func portTaken() throws {
            let service = try ServiceProcess()
            let port = "\(service.port)"
            let rule = "must be free at 127.0.0.1, was \"\(port)\"; choose another one, or 0 for a free one"
            #expect(try fault(["serve", "--port", port]) == "--port: \(rule)")
            #expect(try fault(["serve"], environment: ["SPRINGBAR_PORT": port]) == "SPRINGBAR_PORT: \(rule)")
            #expect(try fault(["sandbox", "--port", port]) == "--port: \(rule)")
        }

        @Test("Too few descriptors are reported before anything starts", arguments: [34, 40, 63])
        func tooFewDescriptors(limit: Int) throws {
            let message = try fault(
                ["serve", "--port", "0"],
                launcher: ["/usr/bin/prlimit", "--nofile=\(limit):\(limit)"]
            )
            #expect(message == "the limit of open descriptors (ulimit -n) must be at least 64, was \(limit)")
        }

        /// The first port that needs no privilege.
        private static let firstFreePort: Int = {
            let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_unprivileged_port_start", encoding: .utf8)
            return text.flatMap { Int($0.trimmingCharacters(in: .newlines)) } ?? 1024
        }()

        /// The launcher that removes the privilege: root drops it, and other users do not have it.
        private static let unprivileged =
            getuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-net_bind_service"] : []

        private static let canGiveUpPrivilege =
            unprivileged.isEmpty
            || (try? ServiceProcess.run(["--version"], launcher: unprivileged).status) == 0

        @Test(
            "A port that needs a privilege is reported as a fault of its setting",
            .enabled(if: firstFreePort > 81, "this system lets every user listen on the port"),
            .enabled(if: canGiveUpPrivilege, "this user cannot drop the privilege"),
            arguments: ["serve", "sandbox"]
        )
        func portForbidden(command: String) throws {
            let message = try fault([command, "--port", "81"], launcher: Self.unprivileged)
            let rule = "must be a port that this user may listen on, was \"81\"; choose one above 1023"
            #expect(message.hasPrefix("--port: \(rule)"))
        }

        @Test("An address of another machine is reported as a fault of its setting", arguments: ["serve", "sandbox"])
        func foreignHost(command: String) throws {
            let message = try fault([command, "--port", "0", "--host", "192.0.2.1"])
            let rule = "must be an address of this machine"
            #expect(message.hasPrefix("--host: \(rule), was \"192.0.2.1\"; choose 127.0.0.1 "))
        }

        @Test("A host name is refused without a look-up", arguments: ["serve", "sandbox"])
        func name(command: String) throws {
            let message = try fault([command, "--port", "0", "--host", "no.such.host.invalid"])
            let rule = "must be an IPv4 or IPv6 address, such as 127.0.0.1 or ::1"
            #expect(message.hasPrefix("--host: \(rule), was \"no.such.host.invalid\""))
        }
    }
}

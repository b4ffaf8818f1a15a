import ArgumentParser
import Glibc
import SpringbarService

/// `springbar health`: exit status 0 when the service on this machine is alive, 1 when it is not.
struct HealthCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask the service on this machine whether it is alive."
    )

    @OptionGroup var flags: SettingFlags

    func run() throws {
        let configuration = try readConfiguration(flags)
        let probe = HealthProbe(
            host: HealthProbe.reachable(configuration.host),
            port: configuration.port,
            timeout: .seconds(2)
        )
        guard probe.isHealthy() else {
            printError("no healthy answer from \(probe.host) port \(probe.port)")
            throw ExitCode(1)
        }
        print("healthy")
    }
}

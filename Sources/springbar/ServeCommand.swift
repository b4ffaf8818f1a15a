import ArgumentParser
import SpringbarService

/// `springbar serve`: runs the service until SIGTERM or SIGINT.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the service (the default).",
        discussion: Springbar.secrets
    )

    @OptionGroup var flags: SettingFlags

    @Flag(name: .customLong("print-config"), help: "Print every setting with its value and origin, and exit.")
    var printsConfiguration = false

    func run() async throws {
        let source = settingSource(flags)
        let configuration = try readConfiguration(flags)
        if printsConfiguration {
            print(ConfigurationReport(source), terminator: "")
            return
        }
        try await ServiceAssembly(configuration, from: source).run()
    }
}

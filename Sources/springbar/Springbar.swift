import ArgumentParser
import SpringbarService

/// The command `springbar`.
struct Springbar: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "springbar",
        abstract: "Layout state, motion parameters and photo pages over HTTP.",
        discussion: "Every setting is a flag or an environment variable; the flag wins. \(secrets)",
        version: Version.text,
        subcommands: [ServeCommand.self, HealthCommand.self, SandboxCommand.self],
        defaultSubcommand: ServeCommand.self
    )

    /// The part of `--help` about the settings without a flag.
    static let secrets = """
        Secrets are variables only: UNSPLASH_ACCESS_KEY, without which the built-in sandbox library is used; \
        SPRINGBAR_API_TOKENS, bearer tokens of at least 16 characters, separated by commas; and \
        SPRINGBAR_REDIS_URL, the Redis in which several replicas share the bars, or servers of a cluster with commas.
        """
}

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
        let source = settingSource(flags.texts)
        let configuration = try readConfiguration(flags.texts)
        if printsConfiguration {
            print(ConfigurationReport(source), terminator: "")
            return
        }
        try await ServiceAssembly(configuration, from: source).run()
    }
}

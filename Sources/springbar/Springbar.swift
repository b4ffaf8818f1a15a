import ArgumentParser
import SpringbarService

/// The command.
@main
struct Springbar: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "springbar",
        abstract: "Layout state, motion parameters and photo pages over HTTP.",
        discussion: "Every setting is a flag or an environment variable; the flag wins. Secrets are variables only.",
        version: Version.text,
        subcommands: [ServeCommand.self, HealthCommand.self, SandboxCommand.self],
        defaultSubcommand: ServeCommand.self
    )
}

import Glibc
import SpringbarService

/// The command `springbar` and its subcommands.
enum Springbar {
    /// Runs a command to its end; without a command that is `serve`.
    static func run(_ arguments: [String]) async throws {
        let command = arguments.first.flatMap { $0.hasPrefix("-") ? nil : $0 } ?? "serve"
        let flags = arguments.first == command ? arguments.dropFirst() : arguments[...]
        if command == "help" || flags.contains(where: { ["--help", "-h"].contains($0) }) {
            return try StandardOutput.print(help + "\n")
        }
        if flags.contains("--version") { return try StandardOutput.print(Version.text + "\n") }
        switch command {
        case "serve": try await serve(flags)
        case "health": try HealthProbe.run(flags)
        case "sandbox": try await SandboxCommand(flags).run()
        case "design-tokens": try DesignTokenCommand.run(flags)
        default: throw CommandFailure.usage("\"\(command)\" is not a command")
        }
    }

    /// Runs the service until SIGTERM or SIGINT.
    private static func serve(_ arguments: ArraySlice<String>) async throws {
        let printsConfiguration = "--print-config"
        let names = Configuration.declared.compactMap(\.flag)
        let flags = try CommandFlags(arguments, names: names, switches: [printsConfiguration])
        let configuration = try configuration(flags, otherFaults: \.otherFaults)
        if flags.values[printsConfiguration] != nil { return try StandardOutput.print(configuration.report) }
        try await ServiceAssembly(configuration).run()
    }

    /// Reads the settings from flags and from the environment.
    static func configuration(
        _ flags: CommandFlags,
        otherFaults: (Configuration) -> [String] = { _ in [] }
    ) throws(ConfigurationFaults) -> Configuration {
        var texts: [String: String] = [:]
        for setting in Configuration.declared { texts[setting.variable] = setting.flag.flatMap { flags.values[$0] } }
        return try Configuration(flags: texts, environment: environmentVariables(), otherFaults: otherFaults)
    }

    /// Returns the environment of the process, at the start: environ(7) has no lock.
    private static func environmentVariables() -> [String: String] {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text)
            // By bytes: the sign and the first character of the value may be one character.
            if let sign = pair.utf8.firstIndex(of: UInt8(ascii: "=")) {
                variables[String(pair[..<sign])] = String(pair[pair.utf8.index(after: sign)...])
            }
            entry += 1
        }
        return variables
    }

    private static var help: String {
        let settings = Configuration.declared
        let flags = settings.compactMap { setting in
            let standard = setting.defaultText.map { " (default: \($0))" } ?? ""
            return setting.flag.map { "  \($0) <value>\n      \(setting.summary)\(standard) [\(setting.variable)]\n" }
        }
        let secrets = settings.filter(\.isSecret).map { "  \($0.variable)\n      \($0.summary)\n" }
        return """
            Springbar: layout state, motion parameters and photo pages over HTTP.

            springbar [serve] [<flags>]  runs the service
              --print-config
                  print every setting with its value and origin, and exit
            \(flags.joined())
            The variables in brackets set the same; a flag wins. Secrets are variables only:
            \(secrets.joined())
            springbar health [--host <value>] [--port <value>]  asks the service on this machine whether it is alive

            springbar design-tokens <file> --platform <value>  prints the source file of a platform for a file of design tokens
            \(DesignTokenCommand.help)

            springbar sandbox [<flags>]  runs the sandbox library alone
            \(SandboxCommand.help)

            springbar --version  prints the version
            """
    }
}

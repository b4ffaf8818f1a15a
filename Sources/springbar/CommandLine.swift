import ArgumentParser
import Glibc
import SpringbarService

/// What was said about the settings on the command line and in the environment.
func settingSource(_ flags: SettingFlags) -> SettingSource {
    SettingSource(flags: flags.texts, environment: environmentVariables())
}

/// The configuration, or the end of the command: every fault on standard error, exit status 78 (EX_CONFIG).
func readConfiguration(_ flags: SettingFlags) throws -> Configuration {
    do {
        return try Configuration(settingSource(flags))
    } catch {
        throw refusal(error)
    }
}

/// Writes the faults to standard error and gives the exit status that says so: 78 (EX_CONFIG).
func refusal(_ faults: ConfigurationFaults) -> ExitCode {
    printError(faults.description)
    return ExitCode(78)
}

/// Writes a line to standard error.
func printError(_ text: String) {
    let line = Array((text.last == "\n" ? text : text + "\n").utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// The environment of the process.
///
/// Read once at the start, while there is one thread: environ(7) has no lock.
private func environmentVariables() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
        let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
        entry += 1
    }
    return variables
}

/// What was said about the settings, and where: a flag wins over the environment, which wins over the default.
package struct SettingSource: Sendable {
    /// Where a text came from.
    package enum Origin: String, Sendable {
        case flag
        case environment
        case standard = "default"
    }

    private let flags: [Setting: String]
    private let environment: [String: String]

    package init(flags: [Setting: String] = [:], environment: [String: String] = [:]) {
        self.flags = flags
        self.environment = environment
    }

    /// The text of `setting` and its origin; nil when it is off.
    ///
    /// An empty variable counts as not set, since that is how compose files and shells leave one out.
    package func text(of setting: Setting) -> (text: String, origin: Origin)? {
        if let text = flags[setting] { return (text, .flag) }
        if let text = environment[setting.variable], !text.isEmpty { return (text, .environment) }
        return defaultText(of: setting).map { ($0, .standard) }
    }

    /// The text that holds if nothing was said about `setting`.
    ///
    /// The built-in library allows as many calls an hour as the upstream allows applications in production, where a new
    /// application has 50.
    private func defaultText(of setting: Setting) -> String? {
        if setting == .rateLimitPerHour, text(of: .accessKey) == nil { return "\(Configuration.sandboxCallsPerHour)" }
        return setting.defaultText
    }

    /// How the person who set it knows the setting: by its flag or its variable.
    package func name(of setting: Setting) -> String {
        if flags[setting] != nil, let flag = setting.flag { return "--\(flag)" }
        return setting.variable
    }

    /// Variables that begin like ours and are none: most likely a typing error, worth a warning.
    ///
    /// Kubernetes adds variables of its own for a service that is named springbar; those are left out.
    package var unknownVariables: [String] {
        environment.keys
            .filter { $0.hasPrefix("SPRINGBAR_") && Setting(rawValue: $0) == nil }
            .filter { name in !["_SERVICE_", "_TCP", "_UDP"].contains { name.contains($0) } }
            .sorted()
    }
}

extension String {
    /// Whether `part` occurs; without Foundation, whose `contains` this would otherwise be.
    fileprivate func contains(_ part: String) -> Bool {
        let (text, part) = (Array(utf8), Array(part.utf8))
        return text.count >= part.count
            && (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
    }
}

/// The settings as they stand, for `--print-config`: each with its value and where it came from.
package struct ConfigurationReport: CustomStringConvertible {
    private let source: SettingSource

    package init(_ source: SettingSource) {
        self.source = source
    }

    package var description: String {
        let width = Setting.allCases.map(\.variable.count).max() ?? 0
        return Setting.allCases.map { setting in
            let name = setting.variable + String(repeating: " ", count: width - setting.variable.count)
            guard let (text, origin) = source.text(of: setting) else { return "\(name)  (not set)\n" }
            let shown = setting.isSecret ? Secret(text).description : text
            return "\(name)  \(shown)  [\(origin.rawValue)]\n"
        }
        .joined()
    }
}

import Primitives

/// The texts of the settings and their origins: a flag wins over the environment, which wins over the default.
package struct SettingSource: Sendable {
    /// The origin of a text.
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

    /// Returns the text of `setting` and its origin, or nil if it is off.
    ///
    /// An empty variable counts as not set: compose files and shells omit a variable that way.
    package func text(of setting: Setting) -> (text: String, origin: Origin)? {
        if let text = flags[setting] { return (text, .flag) }
        if let text = environment[setting.variable], !text.isEmpty { return (text, .environment) }
        return defaultText(of: setting).map { ($0, .standard) }
    }

    /// Returns the default of `setting`.
    ///
    /// The default budget of calls is that of the library in use: Unsplash allows a new application 50 an hour, the
    /// sandbox library 5,000. The default share of the connections is at most half of them, so that one client never
    /// has all.
    private func defaultText(of setting: Setting) -> String? {
        switch setting {
        case .rateLimitPerHour where text(of: .accessKey) == nil:
            return "\(Configuration.sandboxCallsPerHour)"
        case .maxConnectionsPerClient:
            guard let connections: Int = NumberGrammar.integer(text(of: .maxConnections)?.text ?? ""),
                let share: Int = NumberGrammar.integer(setting.defaultText ?? "")
            else { return setting.defaultText }
            return "\(max(1, min(share, connections / 2)))"
        default:
            return setting.defaultText
        }
    }

    /// Returns the name by which `setting` was set: its flag or its variable.
    package func name(of setting: Setting) -> String {
        if flags[setting] != nil, let flag = setting.flag { return "--\(flag)" }
        return setting.variable
    }

    /// The settings that were set, but have no effect because another one is not set.
    package var withoutEffect: [(name: String, needs: String)] {
        let needs: [(Setting, of: [Setting])] = [
            (.accessKey, [.unsplashURL, .imageHosts]),
            (.redisURL, [.redisCA, .redisPrefix, .redisTimeout]),
        ]
        return needs.filter { text(of: $0.0) == nil }.flatMap { needed, settings in
            settings.filter { ![nil, .standard].contains(text(of: $0)?.origin) }
                .map { (name(of: $0), needed.variable) }
        }
    }

    /// Variables with the prefix `SPRINGBAR_` that are not settings and are probably misspelt.
    ///
    /// The variables that Kubernetes adds for a service named springbar are left out.
    package var unknownVariables: [String] {
        environment.keys
            .filter { $0.hasPrefix("SPRINGBAR_") && Setting(rawValue: $0) == nil }
            .filter { name in !["_SERVICE_", "_TCP", "_UDP"].contains { name.contains($0) } }
            .sorted()
    }
}

extension String {
    /// Returns whether `part` occurs.
    ///
    /// The standard library's `contains` for strings is part of Foundation.
    fileprivate func contains(_ part: String) -> Bool {
        let (text, part) = (Array(utf8), Array(part.utf8))
        return text.count >= part.count
            && (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
    }
}

/// The settings with their values and origins, for `--print-config`.
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

/// A setting of the service: its declaration in `Configuration`, and the text that was read.
package struct Setting: Sendable {
    package enum Origin: String, Sendable {
        case flag
        case environment
        case standard = "default"
    }

    package let variable: String
    /// The description in `--help` and in docs/operating.md.
    package let summary: String
    /// The default; nil for a setting that is off by default.
    package let defaultText: String?
    /// True for a setting that is never printed, logged or read from the command line.
    package let isSecret: Bool
    /// The variable of the setting without which this one has no effect.
    package let needs: String?
    /// The variable of the setting with which this one has no effect.
    package let excludedBy: String?
    /// The text in use, which is hidden for a secret; nil if the setting is off.
    package let text: String?
    package let origin: Origin

    /// The command line flag; nil for a secret, because every process can read command lines.
    ///
    /// It is derived from the variable: `SPRINGBAR_MAX_BODY_BYTES` is `--max-body-bytes`.
    package var flag: String? {
        isSecret ? nil : "--" + variable.lowercased().split(separator: "_").dropFirst().joined(separator: "-")
    }

    /// The name by which the setting was set: its flag or its variable.
    package var name: String { origin == .flag ? flag ?? variable : variable }
}

/// A text that is never printed: its descriptions and its mirror do not contain it.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package var description: String { "(set, not shown)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

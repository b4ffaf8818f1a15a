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

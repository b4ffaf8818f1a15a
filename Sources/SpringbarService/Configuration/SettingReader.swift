import Primitives

/// Reads settings: each call declares one, converts its text, and records its faults.
final class SettingReader {
    /// The texts of the flags, by variable.
    let flags: [String: String]
    let environment: [String: String]
    private(set) var settings: [Setting] = []
    private(set) var faults: [String] = []

    init(flags: [String: String], environment: [String: String]) {
        self.flags = flags
        self.environment = environment
    }

    /// Returns a declaration, which reads the setting; it has no effect without the variable `needs`, or with `excludedBy`.
    func callAsFunction(
        _ variable: String,
        _ summary: String,
        needs: String? = nil,
        excludedBy: String? = nil
    ) -> Declaration {
        Declaration(reader: self, variable: variable, summary: summary, needs: needs, excludedBy: excludedBy)
    }

    /// Returns the text of a flag or variable; an empty variable counts as not set, as compose files write it.
    private func text(of variable: String) -> (text: String, origin: Setting.Origin)? {
        if let text = flags[variable] { return (text, .flag) }
        return environment[variable].flatMap { $0.isEmpty ? nil : ($0, .environment) }
    }

    /// A setting without its kind; one of `Secret` values is secret.
    struct Declaration {
        fileprivate let reader: SettingReader
        fileprivate let variable: String
        fileprivate let summary: String
        fileprivate let needs: String?
        fileprivate let excludedBy: String?

        /// Reads a value; `adjusted` is the default if it depends on other settings.
        func value<Value>(
            _ rule: String,
            default standard: Value,
            adjusted: Value? = nil,
            _ parse: (String) -> Value?
        ) -> Value {
            optional(rule, default: "\(standard)", adjusted: adjusted.map { "\($0)" }, parse) ?? adjusted ?? standard
        }

        /// Reads a value that is off by default, or has the text of a default.
        func optional<Value>(
            _ rule: String,
            default standard: String? = nil,
            adjusted: String? = nil,
            _ parse: (String) -> Value?
        ) -> Value? {
            declare(Value.self, default: standard, adjusted) { text, fail in
                let value = parse(text)
                if value == nil { fail("must be \(rule)", text) }
                return value
            }
        }

        func text(_ rule: String, default standard: String, where isValid: (String) -> Bool) -> String {
            value(rule, default: standard) { isValid($0) ? $0 : nil }
        }

        func integer(in range: ClosedRange<Int>, default standard: Int, adjusted: Int? = nil) -> Int {
            let rule = "a whole number from \(range.lowerBound) to \(range.upperBound)"
            return value(rule, default: standard, adjusted: adjusted) { text in
                NumberGrammar.integer(text).flatMap { range.contains($0) ? $0 : nil }
            }
        }

        /// Reads one of the values of `Choice`, in any case.
        func choice<Choice: RawRepresentable<String> & CaseIterable>(default standard: Choice) -> Choice {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            return value("one of \(words)", default: standard) { Choice(rawValue: $0.lowercased()) }
        }

        /// Reads parts separated by commas, each converted by `parse`; blank parts are skipped.
        ///
        /// A list that is set and has no other parts is a fault: the variables that it was made of were probably empty,
        /// and the service would start without the tokens or restrictions that were intended.
        func list<Element>(_ rule: String, default standard: [Element] = [], _ parse: (String) -> Element?) -> [Element]
        {
            let standardText = standard.isEmpty ? nil : standard.map { "\($0)" }.joined(separator: ",")
            return declare(Element.self, default: standardText) { text, fail in
                let parts = text.split(separator: ",").map { String($0.trimmingBlanks()) }.filter { !$0.isEmpty }
                if parts.isEmpty { fail("must have at least one part, which must be \(rule)", text) }
                return parts.compactMap { part in
                    let element = parse(part)
                    if element == nil { fail("each part must be \(rule)", part) }
                    return element
                }
            } ?? standard
        }

        /// Declares the setting, and converts its text if it has one that is not the default.
        private func declare<Kind, Value>(
            _: Kind.Type,
            default standard: String?,
            _ adjusted: String? = nil,
            convert: (_ text: String, _ fail: (_ rule: String, _ text: String) -> Void) -> Value?
        ) -> Value? {
            let input = reader.text(of: variable)
            let isSecret = Kind.self == Secret.self
            let setting = Setting(
                variable: variable,
                summary: summary,
                defaultText: standard,
                isSecret: isSecret,
                needs: needs,
                excludedBy: excludedBy,
                text: isSecret ? input.map { "\(Secret($0.text))" } : input?.text ?? adjusted ?? standard,
                origin: input?.origin ?? .standard
            )
            reader.settings.append(setting)
            guard let (text, _) = input else { return nil }
            return convert(text) { rule, text in
                // Kubernetes sets SPRINGBAR_PORT for a service named springbar.
                let hint = "; this looks like a Kubernetes service link (set enableServiceLinks: false)"
                let isLink = Kind.self == Int.self && text.hasPrefix("tcp://")
                let was = isSecret ? "" : ", was \"\(withoutUser(text))\""
                reader.faults.append("\(setting.name): \(rule)\(isLink ? hint : "")\(was)")
            }
        }
    }
}

/// Returns a text with `…` in place of the user and the password of a URL.
private func withoutUser(_ text: String) -> String {
    guard let sign = text.lastIndex(of: "@") else { return text }
    let start = text[..<sign].firstRange(of: "://")?.upperBound ?? text.startIndex
    return text[..<start] + "…" + text[sign...]
}

import Primitives

/// Converts texts to values and collects all faults.
struct ConfigurationReader {
    private let source: SettingSource
    private(set) var faults: [String] = []

    init(_ source: SettingSource) {
        self.source = source
    }

    /// Returns the text of a setting, or nil if it is off.
    func optionalText(_ setting: Setting) -> String? {
        source.text(of: setting)?.text
    }

    /// Returns the text of a setting with a default.
    func text(_ setting: Setting) -> String {
        optionalText(setting) ?? ""
    }

    /// Returns a whole number in `range`.
    mutating func integer(_ setting: Setting, in range: ClosedRange<Int>) -> Int {
        let text = text(setting)
        if let number: Int = NumberGrammar.integer(text), range.contains(number) { return number }
        var hint = ""
        if setting == .port, text.hasPrefix("tcp://") {
            hint = "; this looks like a Kubernetes service link (set enableServiceLinks: false)"
        }
        note(setting, "must be a whole number from \(range.lowerBound) to \(range.upperBound)\(hint)")
        return range.lowerBound
    }

    /// Returns a number in `range`, or nil if the setting is off.
    mutating func optionalRate(_ setting: Setting, in range: ClosedRange<Double>) -> Double? {
        guard let text = optionalText(setting) else { return nil }
        if let number = NumberGrammar.double(text), range.contains(number) { return number }
        note(setting, "must be a number from \(range.lowerBound) to \(Int.clamping(range.upperBound))")
        return nil
    }

    /// Returns one of the values of `Choice`.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ setting: Setting) -> Choice? {
        if let choice = Choice(rawValue: text(setting).lowercased()) { return choice }
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        note(setting, "must be one of \(words)")
        return nil
    }

    /// Returns parts separated by commas, each converted by `parse`.
    ///
    /// Blank parts are skipped. A list that is set and has no other parts is a fault: the variables that it was made of
    /// were probably empty, and the service would start without the tokens or restrictions that were intended.
    mutating func list<Element>(_ setting: Setting, _ wanted: String, _ parse: (String) -> Element?) -> [Element] {
        guard let text = optionalText(setting) else { return [] }
        let parts = text.split(separator: ",").map { String($0.trimmingBlanks()) }.filter { !$0.isEmpty }
        if parts.isEmpty { note(setting, "must have at least one part, which must be \(wanted)") }
        var elements: [Element] = []
        for part in parts {
            if let element = parse(part) {
                elements.append(element)
            } else {
                note(setting, "each part must be \(wanted)", was: part)
            }
        }
        return elements
    }

    /// Records a fault with the name that the setting was set by; the text of a secret is left out.
    mutating func note(_ setting: Setting, _ rule: String, was part: String? = nil) {
        let text = part ?? text(setting)
        let shown = setting.isSecret ? "" : ", was \"\(text)\""
        faults.append("\(source.name(of: setting)): \(rule)\(shown)")
    }
}

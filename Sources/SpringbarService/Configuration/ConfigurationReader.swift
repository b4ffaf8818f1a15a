import Primitives

/// Reads texts into values and notes every fault, so that all of them can be said at once.
struct ConfigurationReader {
    private let source: SettingSource
    private(set) var faults: [String] = []

    init(_ source: SettingSource) {
        self.source = source
    }

    /// The text of a setting that has a default or was set; nil when it is off.
    func optionalText(_ setting: Setting) -> String? {
        source.text(of: setting)?.text
    }

    /// The text of a setting that has a default.
    func text(_ setting: Setting) -> String {
        optionalText(setting) ?? ""
    }

    /// A whole number in `range`.
    mutating func integer(_ setting: Setting, in range: ClosedRange<Int>) -> Int {
        let text = text(setting)
        if let number = Int(text), range.contains(number) { return number }
        var hint = ""
        if setting == .port, text.hasPrefix("tcp://") {
            hint = "; this looks like a Kubernetes service link (set enableServiceLinks: false)"
        }
        note(setting, "must be a whole number from \(range.lowerBound) to \(range.upperBound)\(hint)")
        return range.lowerBound
    }

    /// A finite number above zero and up to `limit`, or nil when the setting is off.
    mutating func optionalRate(_ setting: Setting, upTo limit: Double) -> Double? {
        guard let text = optionalText(setting) else { return nil }
        if let number = Double(text), number > 0, number <= limit { return number }
        note(setting, "must be a number above 0 and at most \(Int.clamping(limit))")
        return nil
    }

    /// One of the words that `Choice` allows.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ setting: Setting) -> Choice? {
        if let choice = Choice(rawValue: text(setting).lowercased()) { return choice }
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        note(setting, "must be one of \(words)")
        return nil
    }

    /// Parts separated by commas, each read by `parse`; blank ones are passed over.
    mutating func list<Element>(_ setting: Setting, _ wanted: String, _ parse: (String) -> Element?) -> [Element] {
        guard let text = optionalText(setting) else { return [] }
        var elements: [Element] = []
        for part in text.split(separator: ",").map({ $0.trimmingSpaces() }) where !part.isEmpty {
            if let element = parse(part) {
                elements.append(element)
            } else {
                note(setting, "each part must be \(wanted)", was: part)
            }
        }
        return elements
    }

    /// Notes a fault, in the words of the person who set it; the text of a secret is not repeated.
    mutating func note(_ setting: Setting, _ rule: String, was part: String? = nil) {
        let text = part ?? text(setting)
        let shown = setting.isSecret ? "" : ", was \"\(text)\""
        faults.append("\(source.name(of: setting)): \(rule)\(shown)")
    }
}

extension Substring {
    /// Without spaces and tabs at both ends.
    fileprivate func trimmingSpaces() -> String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}

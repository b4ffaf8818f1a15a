import Primitives

/// The flags of a command line: `--name value`, `--name=value`, or a switch without a value.
struct CommandFlags {
    /// The values by flag; that of a switch is empty, and of a repeated flag the last one.
    private(set) var values: [String: String] = [:]

    /// Reads the arguments after a command: `names` need a value, `switches` have none.
    ///
    /// - Throws: a failure with exit status 64 for any other argument.
    init(_ arguments: some Sequence<String>, names: [String], switches: [String] = []) throws(CommandFailure) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            let parts = argument.utf8.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let name = String(Substring(parts[0]))
            if switches.contains(argument) {
                values[name] = ""
            } else if !names.contains(name) {
                throw .usage("\"\(name)\" is not a flag of this command")
            } else if parts.count == 2 {
                values[name] = String(Substring(parts[1]))
            } else if let value = rest.popFirst(), !value.hasPrefix("--") {
                values[name] = value
            } else {
                throw .usage("the value of \(name) is missing")
            }
        }
    }

    /// Returns the whole number of a flag, or nil if it is not set.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let text = values[name] else { return nil }
        if let number = NumberGrammar.integer(text), range.contains(number) { return number }
        let rule = "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        throw .usage("\(name): \(rule), was \"\(text)\"")
    }
}

/// The end of a command: its exit status, and a message for standard error.
struct CommandFailure: Error {
    let status: Int32
    let message: String

    /// A failure because of an argument: EX_USAGE.
    static func usage(_ fault: String) -> CommandFailure {
        CommandFailure(status: 64, message: "\(fault)\nSee 'springbar --help' for the flags.")
    }
}

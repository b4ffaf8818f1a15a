import Primitives

/// Writes the lines of Prometheus's text exposition format, version 0.0.4.
struct ExpositionWriter {
    private(set) var bytes: [UInt8] = []

    mutating func header(name: String, kind: String, help: String?) {
        if let help { line("# HELP \(name) \(ExpositionWriter.escaped(help))") }
        line("# TYPE \(name) \(kind)")
    }

    /// Writes a sample; `labels` comes from `labels(_:)`, and `extra` is one more label behind them.
    mutating func sample(name: String, labels: String, extra: (String, String)? = nil, _ value: Double) {
        let inner = [labels, extra.map { ExpositionWriter.labels([$0]) } ?? ""].filter { !$0.isEmpty }
        let braces = inner.isEmpty ? "" : "{\(inner.joined(separator: ","))}"
        line("\(name)\(braces) \(ExpositionWriter.number(value))")
    }

    /// `a="1",b="2"` with the values escaped; names are constants, and need no escapes.
    static func labels(_ labels: [(String, String)]) -> String {
        labels.map { "\($0)=\"\(escaped($1).replacing("\"", with: "\\\""))\"" }.joined(separator: ",")
    }

    private static func number(_ value: Double) -> String {
        if value == value.rounded(), abs(value) < 1e15 { return String(Int.clamping(value)) }
        return "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    private mutating func line(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\n"))
    }
}

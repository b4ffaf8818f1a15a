import JSON

/// A template in JSON: the values in it are written in JSON, nil as `null`, and other templates as they are.
struct WireJSON: ExpressibleByStringInterpolation, Sendable {
    let text: String

    init(stringLiteral text: String) {
        self.text = text
    }

    init(stringInterpolation: Interpolation) {
        text = stringInterpolation.text
    }

    /// An array, or the members of an object without its braces.
    static func list(_ elements: [WireJSON]) -> WireJSON {
        WireJSON(stringLiteral: elements.map(\.text).joined(separator: ","))
    }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 32 * interpolationCount)
        }

        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ json: WireJSON) { text += json.text }
        mutating func appendInterpolation(_ json: WireJSON?) { text += json?.text ?? "null" }
        mutating func appendInterpolation(_ value: String?) { append { $0.value(value) } }
        mutating func appendInterpolation(_ value: Int?) { append { $0.value(value) } }
        mutating func appendInterpolation(_ value: Double?) { append { $0.value(value) } }
        mutating func appendInterpolation(_ value: Bool) { append { $0.value(value) } }

        private mutating func append(_ write: (inout JSONWriter) -> Void) {
            var json = JSONWriter(capacity: 64)
            write(&json)
            text += String(decoding: json.bytes, as: UTF8.self)
        }
    }
}
